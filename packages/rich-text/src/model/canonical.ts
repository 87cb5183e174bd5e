import { type Json } from './types.js';

/**
 * What a node is known by and carries along, beside what it says. In data, members of these names are as good as
 * others.
 */
export const APART: ReadonlySet<string> = new Set(['key', 'meta']);
const NODES: ReadonlySet<unknown> = new Set(['document', 'block', 'inline', 'text', 'fragment']);

/** The members of an object that do not count: those in `skip` of nodes, none of what only looks like one by a name. */
export const skippedOf = (
  value: { [name: string]: Json | undefined },
  skip: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined => (skip && NODES.has(value['object']) ? skip : undefined);

/**
 * JSON with the members of every object in one order; `undefined` members do not count, nor do those of nodes named in
 * `skip`.
 */
export function canonical(value: Json | undefined, skip?: ReadonlySet<string>): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, skip)).join(',')}]`;
  const skipped = skippedOf(value, skip);
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !skipped?.has(name))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name], skip)}`).join(',')}}`;
}
