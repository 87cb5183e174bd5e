import { RpcError, Status } from './status.js';

const HEAD = 5;

/** Cuts gRPC messages out of the bytes of one call. Holds at most one unfinished message. */
export class MessageReader {
  private parts: Buffer[] = [];
  private held = 0;
  private needed = HEAD;

  /** @param limit bytes of the largest message taken */
  constructor(private readonly limit: number) {}

  /** Hands every message completed by `chunk` to `take`. @throws RpcError for one that is too large or compressed */
  push(chunk: Buffer, take: (message: Buffer) => void): void {
    this.parts.push(chunk);
    this.held += chunk.length;
    if (this.held < this.needed) return;
    let bytes = this.parts.length === 1 ? chunk : Buffer.concat(this.parts, this.held);
    for (;;) {
      this.needed = bytes.length < HEAD ? HEAD : HEAD + this.length(bytes);
      if (bytes.length < this.needed) break;
      take(bytes.subarray(HEAD, this.needed));
      bytes = bytes.subarray(this.needed);
    }
    this.parts = bytes.length === 0 ? [] : [bytes];
    this.held = bytes.length;
  }

  private length(bytes: Buffer): number {
    if (bytes[0] !== 0) throw new RpcError(Status.unimplemented, 'Compressed messages are not supported.');
    const length = bytes.readUInt32BE(1);
    if (length <= this.limit) return length;
    throw new RpcError(Status.resourceExhausted, 'Received message exceeds the maximum configured message size.');
  }
}
