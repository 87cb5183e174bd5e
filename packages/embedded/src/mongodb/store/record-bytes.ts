import { crc32 } from 'node:zlib';

/*
 * A stored document: one byte for the format, a CRC-32, the BSON. The checksum is over the key (prefix of the
 * collection included), then the document; format 1 had it over the document alone.
 */
const FORMAT = 2;
const OLD_FORMAT = 1;
const HEADER = 5;

export function recordOf(key: Buffer, doc: Buffer): Buffer {
  const record = Buffer.allocUnsafe(HEADER + doc.length);
  record[0] = FORMAT;
  record.writeUInt32LE(crc32(doc, crc32(key)), 1);
  doc.copy(record, HEADER);
  return record;
}

export const documentIn = (record: Buffer): Buffer => record.subarray(HEADER);

export const isKnownFormat = (record: Buffer): boolean => record[0] === FORMAT || record[0] === OLD_FORMAT;

/** `keySum`: the checksum of the whole key. */
export function checksumHolds(record: Buffer, doc: Buffer, keySum: () => number): boolean {
  if (!isKnownFormat(record) || record.length < HEADER) return false;
  return crc32(doc, record[0] === FORMAT ? keySum() : 0) === record.readUInt32LE(1);
}

/** Whether a record under its whole key is what was written. */
export const isWhole = (key: Buffer, record: Buffer): boolean =>
  checksumHolds(record, documentIn(record), () => crc32(key));

const ENTRY = 6;
/** Bytes at the beginning of an entry that say how long the `_id` at the end of its key is. */
export const ID_LENGTH_BYTES = 2;

/**
 * What stands under a whole key of an index: the length of the `_id` part, and a checksum of the key. Older ones have
 * the length alone.
 */
export function entryOf(key: Buffer, idLength: number): Buffer {
  const value = Buffer.allocUnsafe(ENTRY);
  value.writeUInt16BE(idLength);
  value.writeUInt32LE(crc32(key), ID_LENGTH_BYTES);
  return value;
}

/** The length of an `_id` as it stands in an entry. */
export function idLengthOf(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(ID_LENGTH_BYTES);
  bytes.writeUInt16BE(length);
  return bytes;
}

/** Whether an index entry is what was written. */
export function isWholeEntry(key: Buffer, value: Buffer): boolean {
  if (value.length !== ENTRY) return value.length === ID_LENGTH_BYTES;
  return value.readUInt32LE(ID_LENGTH_BYTES) === crc32(key) && value.readUInt16BE(0) + 4 <= key.length;
}
