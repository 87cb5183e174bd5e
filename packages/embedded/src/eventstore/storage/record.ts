import { crc32 } from 'node:zlib';

/**
 * One event as it stands in the log (little-endian):
 *
 *     0 u32 length of the whole record      25 16 bytes event id
 *     4 u32 CRC-32 of everything behind it  41 u16 length of the stream name
 *     8 u48 log position                    43 u16 length of the event type
 *    14 u8  flags                           45 u32 length of the data
 *    15 u32 revision                        49 name, type, data, metadata
 *    19 u48 created, ms since 1970          .. u32 length again (for reading backwards)
 */
export const RECORD_HEAD = 49;
export const RECORD_TAIL = 4;
export const MIN_RECORD = RECORD_HEAD + RECORD_TAIL;
/** Above the largest append a real node takes (16 MiB), so that a damaged length is recognised. */
export const MAX_RECORD = 64 * 1024 * 1024;

export const FLAG_JSON = 1;
/** Last event of its append: a log cut anywhere else would split an append. */
export const FLAG_APPEND_END = 2;
/** First event of a group commit: everything in front of it had been synced when it was written. */
export const FLAG_BATCH_START = 4;
/** The `$streamDeleted` event of a tombstone, whose revision is the highest there is. */
export const FLAG_TOMBSTONE = 8;
/**
 * What a scavenge leaves of a stream's last event when that is removed: stream and revision, nothing else. Never shown.
 */
export const FLAG_STUB = 16;

/** An event that a caller proposes; it has no place in the log yet. */
export interface ProposedEvent {
  /** 16 bytes */
  readonly id: Buffer;
  readonly type: string;
  readonly json: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface RecordPlace {
  readonly position: number;
  readonly revision: number;
  /** ms since 1970 */
  readonly created: number;
  readonly flags: number;
}

/** Bytes that `writeRecord` will need. `streamBytes` is the UTF-8 length of the stream's name. */
export function recordSize(streamBytes: number, event: ProposedEvent): number {
  return MIN_RECORD + streamBytes + Buffer.byteLength(event.type) + event.data.length + event.metadata.length;
}

/** Writes a record at `at` of `target`, which must have room for it; returns its length. */
export function writeRecord(
  target: Buffer,
  at: number,
  stream: Buffer,
  event: ProposedEvent,
  place: RecordPlace,
): number {
  const typeLength = Buffer.byteLength(event.type);
  const length = MIN_RECORD + stream.length + typeLength + event.data.length + event.metadata.length;
  target.writeUInt32LE(length, at);
  target.writeUIntLE(place.position, at + 8, 6);
  target[at + 14] = place.flags | (event.json ? FLAG_JSON : 0);
  target.writeUInt32LE(place.revision, at + 15);
  target.writeUIntLE(place.created, at + 19, 6);
  target.set(event.id, at + 25);
  target.writeUInt16LE(stream.length, at + 41);
  target.writeUInt16LE(typeLength, at + 43);
  target.writeUInt32LE(event.data.length, at + 45);
  let cursor = at + RECORD_HEAD;
  target.set(stream, cursor);
  cursor += stream.length;
  target.write(event.type, cursor, 'utf8');
  cursor += typeLength;
  target.set(event.data, cursor);
  cursor += event.data.length;
  target.set(event.metadata, cursor);
  cursor += event.metadata.length;
  target.writeUInt32LE(length, cursor);
  target.writeUInt32LE(crc32(target.subarray(at + 8, at + length)), at + 4);
  return length;
}

/** A window on one record inside a buffer that may be reused: copy what must live longer. */
export class RecordView {
  constructor(
    readonly buffer: Buffer,
    readonly at: number,
    readonly length: number,
  ) {}

  get position(): number {
    return this.buffer.readUIntLE(this.at + 8, 6);
  }
  get flags(): number {
    return this.buffer[this.at + 14] ?? 0;
  }
  get revision(): number {
    return this.buffer.readUInt32LE(this.at + 15);
  }
  get created(): number {
    return this.buffer.readUIntLE(this.at + 19, 6);
  }
  get idAt(): number {
    return this.at + 25;
  }
  get streamAt(): number {
    return this.at + RECORD_HEAD;
  }
  get streamLength(): number {
    return this.buffer.readUInt16LE(this.at + 41);
  }
  get typeAt(): number {
    return this.streamAt + this.streamLength;
  }
  get typeLength(): number {
    return this.buffer.readUInt16LE(this.at + 43);
  }
  get dataAt(): number {
    return this.typeAt + this.typeLength;
  }
  get dataLength(): number {
    return this.buffer.readUInt32LE(this.at + 45);
  }
  get metadataAt(): number {
    return this.dataAt + this.dataLength;
  }
  get metadataLength(): number {
    return this.at + this.length - RECORD_TAIL - this.metadataAt;
  }
  get stream(): string {
    return this.buffer.toString('utf8', this.streamAt, this.typeAt);
  }
  get type(): string {
    return this.buffer.toString('utf8', this.typeAt, this.dataAt);
  }
  get data(): Buffer {
    return this.buffer.subarray(this.dataAt, this.metadataAt);
  }
  /** The same record in bytes of its own. */
  copy(): RecordView {
    return new RecordView(Buffer.from(this.buffer.subarray(this.at, this.at + this.length)), 0, this.length);
  }
  /** True for all but a record whose checksum is right and whose inner lengths are not. */
  get isWellFormed(): boolean {
    return RECORD_HEAD + this.streamLength + this.typeLength + this.dataLength + RECORD_TAIL <= this.length;
  }
}

/** A record could not be read at `at`: more bytes are needed, it is not a record, or it is damaged. */
export type ParseFailure = { readonly need: number } | 'invalid';

/** Reads the length at `at`; 'invalid' when it cannot be one. Needs 4 bytes. */
export function recordLength(buffer: Buffer, at: number): number | 'invalid' {
  const length = buffer.readUInt32LE(at);
  return length < MIN_RECORD || length > MAX_RECORD ? 'invalid' : length;
}

/**
 * Parses and verifies the record that starts at `at`, of which bytes up to `end` are present.
 * @param position the log position it must carry; -1 in a compacted segment, where records moved
 */
export function parseRecord(buffer: Buffer, at: number, end: number, position: number): RecordView | ParseFailure {
  if (end - at < RECORD_HEAD) return { need: RECORD_HEAD };
  const length = recordLength(buffer, at);
  if (length === 'invalid') return 'invalid';
  if (position !== -1 && buffer.readUIntLE(at + 8, 6) !== position) return 'invalid';
  if (end - at < length) return { need: length };
  if (crc32(buffer.subarray(at + 8, at + length)) !== buffer.readUInt32LE(at + 4)) return 'invalid';
  const view = new RecordView(buffer, at, length);
  return view.isWellFormed && buffer.readUInt32LE(at + length - RECORD_TAIL) === length ? view : 'invalid';
}
