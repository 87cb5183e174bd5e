import { createHash } from 'node:crypto';
import { canonical } from './canonical.js';
import { Signatures } from './signature.js';
import { type RichDocument } from './types.js';

const META = new Set(['meta']);

/**
 * SHA-256 of a document as 64 hexadecimal digits. The same content gives the same hash whatever the order of
 * properties; `meta` never counts, keys and the ids of columns, records and cells count unless `keys` is false.
 */
export function hash(document: RichDocument, options: { keys?: boolean } = {}): string {
  const content =
    options.keys === false
      ? `${canonical(document.data)}\n${new Signatures().all(document.nodes)}`
      : canonical(document, META);
  return createHash('sha256').update(content).digest('hex');
}
