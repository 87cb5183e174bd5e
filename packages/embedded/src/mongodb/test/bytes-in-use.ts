import { readFileSync } from 'node:fs';
import { LmdbFile } from '../../checking/lmdb-file.js';
import { LmdbWalk } from '../../checking/lmdb-walk.js';
import { TABLES } from '../store/environment.js';
import { ID_LENGTH_BYTES } from '../store/record-bytes.js';

/** A piece of the file, in bytes. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

export interface BytesInUse {
  /** What checksums cover: keys and documents, keys of index entries, and the checksums themselves. */
  readonly checked: readonly Span[];
  /** How long the `_id` in each index entry is, which no checksum covers. */
  readonly idLengths: readonly Span[];
}

const NODE_HEAD = 8;

/** Where live documents and index entries stand in a sound `data.mdb`: none of it is room that nothing uses. */
export function bytesInUse(path: string): BytesInUse {
  const bytes = readFileSync(path);
  const file = LmdbFile.open(path);
  if (!(file instanceof LmdbFile)) throw new Error(file.what);
  const walk = new LmdbWalk(file, (offset, what) => {
    throw new Error(`${what} at ${String(offset)}`);
  });
  const checked: Span[] = [];
  const idLengths: Span[] = [];
  const trees = walk.trees(TABLES);
  const [docs, index] = [trees.get('docs'), trees.get('index')];
  if (docs === undefined || index === undefined) throw new Error('there are no documents');
  walk.tree(docs, 'docs', (key, value, offset) => {
    const at = offset + NODE_HEAD;
    // A long value stands on pages of its own.
    const isHere = bytes.subarray(at + key.length, at + key.length + value.length).equals(value);
    checked.push({ offset: at, length: key.length + (isHere ? value.length : 0) });
  });
  walk.tree(index, 'index', (key, value, offset) => {
    const at = offset + NODE_HEAD + key.length;
    checked.push({ offset: offset + NODE_HEAD, length: key.length });
    idLengths.push({ offset: at, length: ID_LENGTH_BYTES });
    checked.push({ offset: at + ID_LENGTH_BYTES, length: value.length - ID_LENGTH_BYTES });
  });
  file.close();
  return { checked, idLengths };
}
