import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** How much of an unread body is read before its connection is closed. */
export interface LingerLimits {
  bytes: number;
  ms: number;
  /** Milliseconds in which nothing arrives. */
  idleMs: number;
}

const defaults: LingerLimits = { bytes: 64 * 1024 * 1024, ms: 10_000, idleMs: 2_000 };

/**
 * Lingering close: when an answer closes the connection before the body of its request was read, sends the whole
 * answer, then reads and discards the rest of the body up to the limits, and then closes. If the connection were closed
 * at once, the bytes that still arrive would make the system reset it, and clients that first send everything would
 * lose the answer.
 */
export function lingerOnClose(fastify: FastifyInstance, limits: LingerLimits = defaults): void {
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (raw.complete || raw.destroyed || reply.getHeader('connection') !== 'close' || !isWhole(payload))
      return done(null, payload);
    const body = Buffer.from(payload);
    // With the length, clients know the end of the answer before the connection is closed.
    reply.header('content-length', body.length);
    done(null, Readable.from(answerThenDrain(body, raw, limits), { objectMode: false }));
  });
}

function isWhole(payload: unknown): payload is string | Uint8Array {
  return (typeof payload === 'string' || payload instanceof Uint8Array) && payload.length > 0;
}

async function* answerThenDrain(body: Buffer, request: IncomingMessage, limits: LingerLimits): AsyncGenerator<Buffer> {
  yield body;
  await drain(request, limits);
}

/** Reads and discards what arrives of a body, until its end, the end of its connection, or a limit. */
function drain(request: IncomingMessage, { bytes, ms, idleMs }: LingerLimits): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    const discard = (chunk: Buffer): void => {
      left -= chunk.length;
      idle.refresh();
      if (left < 0) end();
    };
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(idle);
      request.off('data', discard).off('end', end).off('close', end).off('error', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const idle = setTimeout(end, idleMs);
    request.on('data', discard).on('end', end).on('close', end).on('error', end);
    if (request.complete || request.destroyed) end();
  });
}
