import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Shorter texts fit into one packet as they are. */
const shortest = 1_024;
const maxCachedBytes = 32 * 1024 * 1024;
/** How hard a text is compressed: one that is kept for ever once, and a page each time that it has changed. */
const quality = { forever: { br: 11, gzip: 9 }, page: { br: 5, gzip: 6 } };

export interface Encoded {
  body: string | Buffer;
  encoding?: Encoding;
}

/** Compresses texts. What was compressed is kept, so that a page that does not change costs it once. */
export interface Compressor {
  encode(body: string | Buffer, accepted: string | undefined, isForever: boolean): Promise<Encoded>;
}

export function createCompressor(): Compressor {
  const known = new LRUCache<string, Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ length }) => length + 100,
  });
  return {
    async encode(body, accepted, isForever) {
      const encoding = encodingIn(accepted);
      // Files of fonts are compressed already.
      if (encoding === undefined || typeof body !== 'string' || body.length < shortest) return { body };
      const key = `${encoding}${createHash('sha256').update(body).digest('base64url')}`;
      const before = known.get(key);
      if (before !== undefined) return { body: before, encoding };
      const made = await compressed(body, encoding, isForever ? quality.forever : quality.page);
      known.set(key, made);
      return { body: made, encoding };
    },
  };
}

function compressed(body: string, encoding: Encoding, level: Record<Encoding, number>): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: level.gzip });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level.br,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return promisify(brotliCompress)(body, { params });
}

/** The best encoding that a client takes; `undefined` when it takes none. */
export function encodingIn(accepted = ''): Encoding | undefined {
  const taken = new Map<string, boolean>();
  for (const part of accepted.split(',', 20)) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    taken.set(name, !parameters.some((one) => /^q=0(?:\.0{0,3})?$/.test(one)));
  }
  return encodings.find((encoding) => taken.get(encoding) ?? taken.get('*') ?? false);
}
