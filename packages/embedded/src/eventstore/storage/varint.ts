const LOW = 0x80;

/** Bytes that a number needs: seven bits of it in each, the lowest first; the top bit tells that more follow. */
export function varintSize(value: number): number {
  let bytes = 1;
  for (let left = value; left >= LOW; left = Math.floor(left / LOW)) bytes += 1;
  return bytes;
}

/** Writes a whole number from 0 to 2^53 - 1; answers where the next byte goes. */
export function writeVarint(target: Buffer, at: number, value: number): number {
  let left = value;
  let cursor = at;
  for (; left >= LOW; left = Math.floor(left / LOW)) {
    target[cursor] = (left % LOW) + LOW;
    cursor += 1;
  }
  target[cursor] = left;
  return cursor + 1;
}

/** Reads numbers one after the other. */
export class VarintReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  next(): number {
    let value = 0;
    for (let weight = 1; ; weight *= LOW) {
      const byte = this.bytes[this.at] ?? 0;
      this.at += 1;
      value += (byte % LOW) * weight;
      if (byte < LOW) return value;
    }
  }
}
