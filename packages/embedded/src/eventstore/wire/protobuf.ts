/** Bytes a base-128 varint takes. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Size of a length-delimited field with a one-byte tag. */
export function fieldSize(length: number): number {
  return 1 + varintSize(length) + length;
}

/** Writes protobuf into a growing buffer. Tags are given as their byte: `field << 3 | wire type`. */
export class ProtoWriter {
  private bytes: Buffer;
  at = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafe(capacity);
  }

  /** Makes room; call before writing a message whose size is known. */
  reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  byte(value: number): void {
    this.bytes[this.at] = value;
    this.at += 1;
  }

  uint32be(value: number): void {
    this.at = this.bytes.writeUInt32BE(value, this.at);
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  /** A varint field. */
  number(tag: number, value: number): void {
    this.byte(tag);
    this.varint(value);
  }

  /** Tag and length of a field whose content follows. */
  head(tag: number, length: number): void {
    this.byte(tag);
    this.varint(length);
  }

  /** A length-delimited field copied out of `source`. */
  slice(tag: number, source: Buffer, start: number, length: number): void {
    this.head(tag, length);
    source.copy(this.bytes, this.at, start, start + length);
    this.at += length;
  }

  field(tag: number, bytes: Uint8Array): void {
    this.head(tag, bytes.length);
    this.raw(bytes);
  }

  raw(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  latin1(text: string): void {
    this.at += this.bytes.write(text, this.at, 'latin1');
  }

  /** What has been written; the writer begins anew with its own bytes. */
  take(capacity: number): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = Buffer.allocUnsafe(capacity);
    this.at = 0;
    return taken;
  }
}

/** A length-delimited field by itself. */
export function field(tag: number, bytes: Uint8Array): Buffer {
  const writer = new ProtoWriter(fieldSize(bytes.length));
  writer.field(tag, bytes);
  return writer.take(0);
}

/** A varint field by itself. */
export function numberField(tag: number, value: number): Buffer {
  const writer = new ProtoWriter(1 + varintSize(value));
  writer.number(tag, value);
  return writer.take(0);
}

/** A gRPC message frame: not compressed, length, bytes. */
export function frame(...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, ...parts]);
}
