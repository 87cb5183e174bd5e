/** Where a file of an import is found. */
export interface Entry {
  /** The upload that it is in, counted from 0. */
  archive: number;
  /** Of its header in the archive; of an upload that is a file itself, 0. */
  offset: number;
  /** Bytes of its name in the archive, which stands between its header and its bytes. */
  name: number;
  /** Bytes as they are stored. */
  packed: number;
  /** Bytes. */
  size: number;
  crc: number;
  /** `whole`: the upload is the file itself. */
  method: 'stored' | 'deflated' | 'whole';
}

/** Bytes of a part of an archive. */
export interface Range {
  archive: number;
  start: number;
  end: number;
}

/** What names a part: those of the beginning of a file and of all of it begin at the same byte. */
export function partKey({ archive, start, end }: Range): string {
  return `${archive}:${start}:${end}`;
}

const headerBytes = 30;
/** Bytes that a header may have beyond its name: tools align what follows to pages of memory. */
const extraBytes = 4_096 + 512;

/** The bytes that have a file with its header. */
export function rangeOf({ archive, offset, name, packed, method }: Entry): Range {
  if (method === 'whole') return { archive, start: 0, end: packed };
  return { archive, start: offset, end: offset + headerBytes + name + extraBytes + packed };
}

/** Where the bytes of a file begin, from the beginning of its header; `undefined` when there is no header. */
export function bytesBegin(header: Uint8Array): number | undefined {
  if (header.length < headerBytes) return undefined;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (view.getUint32(0, true) !== 0x04034b50) return undefined;
  return headerBytes + view.getUint16(26, true) + view.getUint16(28, true);
}
