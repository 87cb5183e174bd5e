import { LRUCache } from 'lru-cache';

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
  const cache = new LRUCache<string, CachedAnswer>({
    maxSize: mostBytes,
    sizeCalculation: ({ body, small }) => body.length + small.length,
  });
  return async (body, name) => {
    if (name === undefined || body.length < leastBytes) return compress(body);
    const cached = cache.get(name);
    if (cached !== undefined && Buffer.compare(cached.body, body) === 0) return cached.small;
    const small = await compress(body);
    cache.set(name, { body, small });
    return small;
  };
}
