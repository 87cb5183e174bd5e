import type { Path } from '../bson/index.js';
import type { Node } from '../filter/node.js';

/** One field of an index. */
export interface IndexField {
  readonly path: Path;
  readonly descending: boolean;
}

/** An index of a collection; `_id_` is the document table itself and has no entries. */
export interface Index {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly IndexField[];
  /** The directions of the fields. */
  readonly descending: readonly boolean[];
  readonly unique: boolean;
  readonly sparse: boolean;
  /** Whether queries must not use it. */
  readonly hidden: boolean;
  readonly partial: Node | undefined;
  /** The specification as BSON, for listIndexes. */
  readonly spec: Buffer;
  /** Whether a field ever met an array; bounds on such fields cannot be combined. */
  readonly multikey: boolean[];
  /** Whether a key was ever cut to its maximum length: order and equality then hold only up to there. */
  truncated: boolean;
  /** Set once the index is complete on disk; queries must not use it before. */
  ready: boolean;
}

export interface Collection {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly ns: string;
  readonly uuid: string;
  readonly prefix: Buffer;
  readonly indexes: Index[];
  count: number;
  size: number;
  dirty: boolean;
}

/** What a specification alone says about an index. */
export type IndexSpec = Omit<Index, 'id' | 'multikey' | 'truncated' | 'ready'>;

/** Four bytes that start every key of a collection or index. */
export function prefixOf(id: number): Buffer {
  const b = Buffer.alloc(4);
  b.writeUInt32BE(id);
  return b;
}
