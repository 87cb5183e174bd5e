import { LRUCache } from 'lru-cache';

/** How a caller stands after a request. */
export interface Taken {
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** When all of them are there again, in ms since 1970. */
  full: number;
  /** Milliseconds until the next request is possible; 0 when this one was. */
  waitMs: number;
}

/** Token buckets (requests a minute, of which none may have been used for a minute to use all at once), by key. */
export interface Buckets {
  /** Takes a request, or so many, out of the bucket `key`, which holds `limit` a minute: all of them or none. */
  take(key: string, limit: number, requests?: number): Taken;
  /** Counts what other replicas took; a bucket nobody here has asked for is not kept. */
  takenElsewhere(key: string, count: number): void;
  /** What was taken here since it was last asked, by key. */
  spent(): [key: string, count: number][];
}

interface Bucket {
  used: number;
  at: number;
  limit: number;
}

const minute = 60_000;

/** At most `size` buckets: beyond, those that were not used for longest start anew. `now` in ms since 1970. */
export function createBuckets(size: number, now: () => number = Date.now): Buckets {
  const buckets = new LRUCache<string, Bucket>({ max: size });
  const news = new Map<string, number>();
  const bucketOf = (key: string, limit: number): Bucket => {
    const at = now();
    const bucket = buckets.get(key) ?? { used: 0, at, limit };
    bucket.used = Math.max(0, bucket.used - (Math.max(0, at - bucket.at) * limit) / minute);
    bucket.at = at;
    bucket.limit = limit;
    buckets.set(key, bucket);
    return bucket;
  };
  return {
    take(key, limit, requests = 1) {
      const bucket = bucketOf(key, limit);
      const missing = bucket.used + requests - limit;
      if (missing <= 0 && requests > 0) {
        bucket.used += requests;
        if (news.size < size) news.set(key, (news.get(key) ?? 0) + requests);
      }
      const msOf = (part: number): number => (part * minute) / limit;
      return { limit, remaining: Math.max(0, Math.floor(limit - bucket.used)), full: bucket.at + msOf(bucket.used), waitMs: missing <= 0 ? 0 : Math.ceil(msOf(missing)) };
    },
    takenElsewhere(key, count) {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.used = Math.min(bucket.limit, bucket.used + count);
    },
    spent() {
      const all = [...news];
      news.clear();
      return all;
    },
  };
}
