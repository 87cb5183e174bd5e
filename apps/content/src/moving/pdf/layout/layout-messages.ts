/** What the process of a layout gets: this as JSON, behind its length in four bytes; then the bytes that it names. */
export interface LayoutOrder {
  /** The template. */
  page: string;
  /** Files of fonts. */
  fonts: readonly string[];
  /** Bytes of `doc.json`. */
  doc: number;
  /** Names of pictures, and how many bytes each has. */
  pictures: readonly { name: string; size: number }[];
  /** The most sheets that it may become. */
  sheets: number;
  /** Only whether the library can be loaded is asked. */
  isProbe?: true;
}

/**
 * What it answers, in the same form, before the PDF. `failed`: the layout refused, with what it says; `too_long`: it
 * has more sheets than it may.
 */
export type LayoutAnswer =
  | { outcome: 'done'; sheets: number; isAccessible: boolean }
  | { outcome: 'too_long'; sheets: number }
  | { outcome: 'failed'; says: string }
  | { outcome: 'missing'; says: string };

const lengthBytes = 4;

export function framed(head: LayoutOrder | LayoutAnswer): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** The JSON at the beginning of some bytes, and those behind it. @throws for bytes that are none */
export function unframed(bytes: Buffer): { head: unknown; rest: Buffer } {
  const end = lengthBytes + bytes.readUInt32BE(0);
  return { head: JSON.parse(bytes.toString('utf8', lengthBytes, end)) as unknown, rest: bytes.subarray(end) };
}
