import { createHash } from 'node:crypto';
import { canonical } from './canonical.js';
import { type RichDocument } from './types.js';

const SKIPPED = new Set(['key', 'meta']);

/**
 * SHA-256 of a document as 64 hexadecimal digits. The same content gives the same hash whatever the order of properties;
 * `meta` never counts, keys count unless `keys` is false.
 */
export function hash(document: RichDocument, options: { keys?: boolean } = {}): string {
  const skip = options.keys === false ? SKIPPED : new Set(['meta']);
  return createHash('sha256').update(canonical(document, skip)).digest('hex');
}
