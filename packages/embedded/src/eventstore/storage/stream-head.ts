import { VarintReader, varintSize, writeVarint } from './varint.js';

/** `$tb` of a soft-deleted stream: everything is truncated. */
export const DELETED_TB = Number.MAX_SAFE_INTEGER;

/** What the store knows of one stream without reading its events. Mutated only by the committer. */
export interface StreamHead {
  readonly name: string;
  /** Number inside the index; the log does not know it. */
  readonly no: number;
  /** Revision of the last durable event, -1 for none. */
  last: number;
  /** Same, counting the group commit under way. */
  planned: number;
  /** Tombstoned: never to be written again. */
  tombstoned: boolean;
  /** `$tb`, `$maxCount`, `$maxAge` (ms) of the stream's metadata; 0, 0, 0 without. */
  truncateBefore: number;
  maxCount: number;
  maxAge: number;
}

export function newHead(name: string, no: number): StreamHead {
  return { name, no, last: -1, planned: -1, tombstoned: false, truncateBefore: 0, maxCount: 0, maxAge: 0 };
}

export function isSoftDeleted(head: StreamHead): boolean {
  return head.truncateBefore === DELETED_TB;
}

export function isMetastream(name: string): boolean {
  return name.startsWith('$$');
}

/** The lowest revision that a read may show, from `$tb` and `$maxCount`. A metadata stream keeps one event. */
export function firstVisible(head: StreamHead): number {
  const maxCount = isMetastream(head.name) ? 1 : head.maxCount;
  return Math.max(head.truncateBefore, maxCount > 0 ? head.last - maxCount + 1 : 0);
}

/**
 * Takes `$tb`, `$maxCount`, `$maxAge` from a metadata event's JSON; anything else in it counts as absent, as on a real
 * node.
 */
export function applyMetadata(head: StreamHead, json: Uint8Array): void {
  const fields = parseFields(json);
  head.truncateBefore = truncation(fields['$tb']);
  head.maxCount = positive(fields['$maxCount']);
  head.maxAge = Math.min(positive(fields['$maxAge']) * 1000, Number.MAX_SAFE_INTEGER);
}

function parseFields(json: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function truncation(value: unknown): number {
  const number = positive(value);
  return number >= DELETED_TB ? DELETED_TB : number;
}

function positive(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0;
}

/** Fields of a head that the index keeps, in this order; a revision is kept as one more, so that -1 is 0. */
const kept = (head: StreamHead): readonly number[] => [
  head.tombstoned ? 1 : 0,
  head.no,
  head.last + 1,
  head.truncateBefore,
  head.maxCount,
  head.maxAge,
];

/** The head's durable part, for the index. */
export function encodeHead(head: StreamHead): Buffer {
  const values = kept(head);
  const bytes = Buffer.allocUnsafe(values.reduce((sum, value) => sum + varintSize(value), 0));
  let at = 0;
  for (const value of values) at = writeVarint(bytes, at, value);
  return bytes;
}

export function decodeHead(name: string, bytes: Buffer): StreamHead {
  const reader = new VarintReader(bytes);
  const tombstoned = reader.next() === 1;
  const no = reader.next();
  const last = reader.next() - 1;
  return {
    name,
    no,
    last,
    planned: last,
    tombstoned,
    truncateBefore: reader.next(),
    maxCount: reader.next(),
    maxAge: reader.next(),
  };
}
