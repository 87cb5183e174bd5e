import { createHash } from 'node:crypto';
import { type Block, type Json, type RichDocument } from './types.js';

const SKIPPED = new Set(['key', 'meta']);

/** JSON with the members of every object in one order; `undefined` members do not count. */
export function canonical(value: Json | undefined, skip?: ReadonlySet<string>): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, skip)).join(',')}]`;
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !skip?.has(name))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name], skip)}`).join(',')}}`;
}

/**
 * SHA-256 of a document as 64 hexadecimal digits. The same content gives the same hash whatever the order of properties;
 * `meta` never counts, keys count unless `keys` is false.
 */
export function hash(document: RichDocument, options: { keys?: boolean } = {}): string {
  const skip = options.keys === false ? SKIPPED : new Set(['meta']);
  return createHash('sha256').update(canonical(document, skip)).digest('hex');
}

/** The content of a block without its keys, as one comparable string. */
export const contentOf = (node: Block): string => canonical(node, SKIPPED);
