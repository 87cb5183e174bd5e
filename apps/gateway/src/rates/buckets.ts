import { LRUCache } from 'lru-cache';

/** The state of a bucket after a request. */
export interface Taken {
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** When the bucket is full again, in ms since 1970. */
  full: number;
  /** Milliseconds until the next request is possible; 0 if this one was. */
  waitMs: number;
}

/** Token buckets by key: a bucket holds the requests of a minute and fills up evenly. */
export interface Buckets {
  /** Takes `requests` (1 unless set) out of the bucket `key`, which holds `limit`: all of them or none. */
  take(key: string, limit: number, requests?: number): Taken;
  /** Counts what other replicas took. A bucket that is not used here is not created. */
  takenElsewhere(key: string, count: number): void;
  /** What was taken here since the last call, by key. */
  takenHere(): [key: string, count: number][];
}

interface Bucket {
  used: number;
  at: number;
  limit: number;
}

const minute = 60_000;

/**
 * Builds at most `size` buckets; beyond, the least recently used one is dropped and would start full. `now` in ms since
 * 1970.
 */
export function createBuckets(size: number, now: () => number = Date.now): Buckets {
  const buckets = new LRUCache<string, Bucket>({ max: size });
  const unreported = new Map<string, number>();
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
        if (unreported.size < size) unreported.set(key, (unreported.get(key) ?? 0) + requests);
      }
      const msOf = (part: number): number => (part * minute) / limit;
      return {
        limit,
        remaining: Math.max(0, Math.floor(limit - bucket.used)),
        full: bucket.at + msOf(bucket.used),
        waitMs: missing <= 0 ? 0 : Math.ceil(msOf(missing)),
      };
    },
    takenElsewhere(key, count) {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.used = Math.min(bucket.limit, bucket.used + count);
    },
    takenHere() {
      const all = [...unreported];
      unreported.clear();
      return all;
    },
  };
}
