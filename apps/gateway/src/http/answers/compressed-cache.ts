import { LRUCache } from 'lru-cache';

interface Kept {
  body: Buffer;
  small: Buffer;
}

/** Smaller answers are compressed in a few milliseconds. */
const leastBytes = 64 * 1024;
const mostBytes = 32 * 1024 * 1024;

/**
 * Large answers as they were compressed last: whoever asks again, and whoever is shown the very same bytes, gets them without the tens of
 * milliseconds that each megabyte takes. `name`: what the answer is known by; without one nothing is kept.
 * The bytes are kept, so they must not change afterwards.
 */
export function keepCompressed(
  compress: (body: Buffer) => Promise<Buffer>,
): (body: Buffer, name: string | undefined) => Promise<Buffer> {
  const kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    sizeCalculation: ({ body, small }) => body.length + small.length,
  });
  return async (body, name) => {
    if (name === undefined || body.length < leastBytes) return compress(body);
    const known = kept.get(name);
    if (known !== undefined && Buffer.compare(known.body, body) === 0) return known.small;
    const small = await compress(body);
    kept.set(name, { body, small });
    return small;
  };
}
