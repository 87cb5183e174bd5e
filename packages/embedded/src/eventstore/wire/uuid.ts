const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));
const PATTERN = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Text form of the 16 bytes at `at`. */
export function uuidText(bytes: Buffer, at: number): string {
  let text = '';
  for (let i = 0; i < 16; i += 1) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += HEX[bytes[at + i] ?? 0] ?? '';
  }
  return text;
}

/** The 16 bytes of a UUID's text, with or without dashes; undefined when it is none. */
export function parseUuid(text: string): Buffer | undefined {
  return PATTERN.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

/** The 16 bytes of two signed 64-bit halves given as decimal text. */
export function uuidFromHalves(most: string, least: string): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeBigInt64BE(BigInt(most), 0);
  bytes.writeBigInt64BE(BigInt(least), 8);
  return bytes;
}
