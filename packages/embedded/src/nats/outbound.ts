import { type Socket } from 'node:net';

/**
 * Bytes on their way to one client. Small pieces are copied into chunks, so that a waiting message
 * holds its own bytes only and not the receive buffer it arrived in; at most one write is under way,
 * and what gathers meanwhile leaves in the next one.
 */
export interface Outbound {
  readonly socket: Socket;
  /** Pending bytes of all clients of the server together. */
  readonly total: PendingTotal;
  ready: Buffer[];
  chunk: Buffer;
  /** Bytes of `chunk` that are in `ready` already, and bytes written into it. */
  sealed: number;
  used: number;
  /** Bytes not yet handed to the socket, and bytes the kernel has not taken yet. */
  gathered: number;
  writing: number;
  /** When the write under way began, in milliseconds of `performance.now()`. */
  writingSince: number | undefined;
}

export interface PendingTotal {
  bytes: number;
}

const CHUNK = 16 * 1024;

/** An empty queue in front of the socket. */
export function createOutbound(socket: Socket, total: PendingTotal): Outbound {
  return {
    socket,
    total,
    ready: [],
    chunk: Buffer.alloc(0),
    sealed: 0,
    used: 0,
    gathered: 0,
    writing: 0,
    writingSince: undefined,
  };
}

/** Adds protocol text; one byte for each character. */
export function putText(out: Outbound, latin1: string): void {
  count(out, latin1.length);
  if (latin1.length > CHUNK / 2) {
    putWhole(out, Buffer.from(latin1, 'latin1'));
    return;
  }
  makeRoom(out, latin1.length);
  out.used += out.chunk.write(latin1, out.used, 'latin1');
}

/** Adds a copy of `source[start, end)`. */
export function putBytes(out: Outbound, source: Buffer, start: number, end: number): void {
  count(out, end - start);
  if (end - start > CHUNK / 2) {
    putWhole(out, Buffer.from(source.subarray(start, end)));
    return;
  }
  makeRoom(out, end - start);
  out.used += source.copy(out.chunk, out.used, start, end);
}

/** Bytes that wait for this client, here or in its socket. */
export function pendingBytes(out: Outbound): number {
  return out.gathered + out.writing;
}

/** Hands everything gathered to the socket. While a write is under way only `last` does so: it precedes the end. */
export function flush(out: Outbound, last = false): void {
  const { socket } = out;
  if ((out.writing > 0 && !last) || out.gathered === 0 || !socket.writable) return;
  seal(out);
  const buffers = out.ready;
  out.ready = [];
  out.writing += out.gathered;
  out.gathered = 0;
  out.writingSince ??= performance.now();
  const end = buffers.length - 1;
  if (end > 0) socket.cork();
  buffers.forEach((buffer, at) => (at === end ? socket.write(buffer, () => written(out)) : socket.write(buffer)));
  if (end > 0) socket.uncork();
}

/** Takes a closed client's bytes out of the total. */
export function forget(out: Outbound): void {
  out.total.bytes -= pendingBytes(out);
  out.gathered = out.writing = 0;
  out.ready = [];
}

function count(out: Outbound, bytes: number): void {
  out.gathered += bytes;
  out.total.bytes += bytes;
}

function written(out: Outbound): void {
  out.total.bytes -= out.writing;
  out.writing = 0;
  out.writingSince = undefined;
  if (out.gathered > 0) flush(out);
}

function putWhole(out: Outbound, buffer: Buffer): void {
  seal(out);
  out.ready.push(buffer);
}

function makeRoom(out: Outbound, needed: number): void {
  if (out.chunk.length - out.used >= needed) return;
  seal(out);
  out.chunk = Buffer.allocUnsafeSlow(CHUNK);
  out.sealed = out.used = 0;
}

function seal(out: Outbound): void {
  if (out.used > out.sealed) out.ready.push(out.chunk.subarray(out.sealed, out.used));
  out.sealed = out.used;
}
