import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Operation } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { hasBytes, vary } from './answer.js';

export type Coding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses with settings that are fast rather than strong: other requests wait meanwhile. */
export function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return zip(body);
  return brotli(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

const entry = /^\s*([\w*-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * The coding that `Accept-Encoding` prefers; `br` if both are equal. Undefined for a plain answer (RFC 9110, 12.5.3).
 */
export function chooseCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map(header.split(',', 20).flatMap((part) => weightOf(part)));
  const weight = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = Math.max(weight('br'), weight('gzip'));
  if (best === 0 || (weights.get('identity') ?? 0) > best) return undefined;
  return weight('br') === best ? 'br' : 'gzip';
}

function weightOf(part: string): [string, number][] {
  const [, name, q = '1'] = entry.exec(part) ?? [];
  return name === undefined ? [] : [[name.toLowerCase(), Number(q)]];
}

/**
 * Whether answers of an operation may be compressed. Answers with a secret, or for a browser's cookie, are not: an
 * attacker who can place text of their own in them could find the secret by the compressed length (BREACH).
 */
function mayCompress({ secret, access }: Operation): boolean {
  return secret.length === 0 && !access.tokens.includes('session');
}

/** Compresses answers of operations from `fromBytes` on, for clients that accept it; 0 compresses none. */
export function compressAnswers(fastify: FastifyInstance, fromBytes: number): void {
  if (fromBytes === 0) return;
  const compressed = {
    br: createCompressedCache((body) => compress(body, 'br')),
    gzip: createCompressedCache((body) => compress(body, 'gzip')),
  };
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { operation } = request.routeOptions.config;
    if (operation?.response === undefined || !mayCompress(operation)) return done(null, payload);
    vary(reply, 'Accept-Encoding');
    if (!hasBytes(payload)) return done(null, payload);
    const coding = payload.length < fromBytes ? undefined : chooseCoding(request.raw.headers['accept-encoding']);
    if (coding === undefined) return done(null, payload);
    const tag = reply.getHeader('etag');
    const name = typeof tag === 'string' ? `${operation.id} ${tag}` : undefined;
    compressed[coding](bytesOf(payload), name).then(
      (small) => {
        reply.header('content-encoding', coding).header('content-length', small.length);
        markTag(reply, coding);
        done(null, small);
      },
      (error: Error) => done(error),
    );
  });
}

/** The bytes of a body, without a copy where it has bytes already. */
function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/**
 * Compressed bytes are another representation and need a strong tag of their own (RFC 9110, 8.8.3.3); a weak tag is the
 * same for all codings.
 */
function markTag(reply: FastifyReply, coding: Coding): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('etag', `${tag.slice(0, -1)}-${coding}"`);
}

/** The tag of an answer without the mark of its coding. */
export function plainTag(tag: string): string {
  return tag.replace(/-(?:br|gzip)"$/, '"');
}

interface CachedAnswer {
  body: Buffer;
  small: Buffer;
}

/** Smaller answers are compressed in a few milliseconds. */
const leastBytes = 64 * 1024;
const mostBytes = 32 * 1024 * 1024;

/**
 * A cache of large compressed answers: a request whose answer has the same bytes does not wait the tens of milliseconds
 * that compression takes for each megabyte. `name`: the key in the cache; an answer without a name is not cached. The
 * cache holds the given buffer, so its bytes must not change afterwards.
 */
export function createCompressedCache(
  compress: (body: Buffer) => Promise<Buffer>,
): (body: Buffer, name: string | undefined) => Promise<Buffer> {
  const known = new LRUCache<string, CachedAnswer>({
    maxSize: mostBytes,
    sizeCalculation: ({ body, small }) => body.length + small.length,
  });
  return async (body, name) => {
    if (name === undefined || body.length < leastBytes) return compress(body);
    const cached = known.get(name);
    if (cached !== undefined && Buffer.compare(cached.body, body) === 0) return cached.small;
    const small = await compress(body);
    known.set(name, { body, small });
    return small;
  };
}
