import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType } from 'node:zlib';
import { AppError, blaming, type Operation } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Hook } from './accept.js';
import { hasBytes } from './answer.js';

const typeForm: Readonly<Record<Operation['consumes'], RegExp>> = {
  'application/json': /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset=(?:"utf-8"|utf-8)\s*)?$/i,
  'application/x-www-form-urlencoded': /^application\/x-www-form-urlencoded\s*(?:;\s*charset=(?:"utf-8"|utf-8)\s*)?$/i,
};

/**
 * Reads bodies as bytes, if they have the media type of the operation. The body of an operation that takes none is
 * dropped.
 */
export function registerBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const { operation } = request.routeOptions.config;
    if (operation?.body === undefined || body.length === 0) return done(null, undefined);
    try {
      const coding = codingOf(request.headers['content-encoding']);
      if (!typeForm[operation.consumes].test(request.headers['content-type'] ?? '')) {
        const message = `The body must be ${operation.consumes} in UTF-8`;
        throw blaming('unsupported_media_type', 'headers.content-type', message);
      }
      if (coding === undefined) return done(null, body);
      decodeBody(body, coding, operation.bodyLimit).then((plain) => done(null, plain), done);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Limits the bytes of request bodies that are in memory at a time. */
export interface BodyBudget {
  /** Reserves `bytes`; the returned function releases them. @throws `unavailable` when too many are reserved already */
  take(bytes: number): () => void;
  held(): number;
}

/** A budget of `total` bytes; a body larger than the whole budget is accepted when nothing else is reserved. */
export function createBodyBudget(total: number): BodyBudget {
  let held = 0;
  return {
    held: () => held,
    take(bytes) {
      if (held > 0 && held + bytes > total) {
        throw new AppError('unavailable', [], {
          message: 'Too many large requests at the moment, try again',
          retryAfter: 1,
        });
      }
      held += bytes;
      let released = false;
      return () => {
        if (!released) held -= bytes;
        released = true;
      };
    },
  };
}

/**
 * A step that reserves memory for the body of a request until it is answered. A body of unknown length counts as the
 * largest allowed one, a compressed body as what it may become.
 */
export function holdBody(bodies: BodyBudget, limit: number): Hook {
  return ({ method, raw: { headers } }, reply, done) => {
    const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limit;
    if (length === 0 || method === 'GET' || method === 'HEAD') return done();
    const held = headers['content-encoding'] === undefined ? length : maxDecoded(length, limit);
    try {
      reply.raw.once('close', bodies.take(Math.min(held, limit)));
      done();
    } catch (error) {
      done(error as AppError);
    }
  };
}

type Decode = (body: InputType, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** How much larger a body may become when it is decoded; very repetitive JSON stays below. */
const maxRatio = 100;
/** Bodies up to this size are accepted whatever their ratio is. */
const alwaysAccepted = 64 * 1024;

/** The largest decoded size of a body of `received` encoded bytes; `limit`: that of a plain body. */
function maxDecoded(received: number, limit: number): number {
  return Math.min(limit, Math.max(alwaysAccepted, received * maxRatio));
}

/**
 * The content coding of a body; undefined for a plain one. @throws `unsupported_media_type` for unknown codings and for
 * several
 */
export function codingOf(header: string | undefined): string | undefined {
  const coding = header?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  if (Object.hasOwn(decoders, coding)) return coding;
  const message = 'Must be one of gzip, br, deflate, identity, or absent';
  throw new AppError('unsupported_media_type', [{ path: 'headers.content-encoding', message }], {
    message: `Content-Encoding: ${message}`,
  });
}

/**
 * Decodes a body in a thread of its own, up to the size that is allowed.
 * @throws `too_large` beyond `maxDecoded`, `invalid_request` for bytes that are not of the coding
 */
export async function decodeBody(body: Buffer, coding: string, limit: number): Promise<Buffer> {
  try {
    return await (decoders[coding] as Decode)(body, { maxOutputLength: maxDecoded(body.length, limit) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new AppError('too_large', [{ path: 'body', message: 'Is too large after decoding' }], { cause });
    const message = `Must be ${coding}, as Content-Encoding says`;
    throw new AppError('invalid_request', [{ path: 'body', message }], { message: `body: ${message}`, cause });
  }
}

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
    if (raw.complete || raw.destroyed || reply.getHeader('connection') !== 'close' || !hasBytes(payload))
      return done(null, payload);
    const body = Buffer.from(payload);
    // With the length, clients know the end of the answer before the connection is closed.
    reply.header('content-length', body.length);
    done(null, Readable.from(answerThenDrain(body, raw, limits), { objectMode: false }));
  });
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
