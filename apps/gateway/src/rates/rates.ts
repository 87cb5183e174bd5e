import { createHash, randomUUID } from 'node:crypto';
import { AppError, type RateClass } from '@scriptorium/contracts';
import { networkOf } from '@scriptorium/platform/network';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { readAnnouncement } from '../services/read-announcement.js';
import { createBuckets, type Taken } from './buckets.js';

/** Requests a minute; 0 = not limited. */
export interface RateLimits extends Readonly<Record<RateClass, number>> {
  /** Of one address, without a valid token. */
  readonly anonymous: number;
  /** Of one address, for bytes of files. */
  readonly files: number;
}

/**
 * Whose requests are counted together. `of`: what they change, if each has a rate of its own. `visitor`: the address of
 * who sends a content token, since one token may serve all visitors of a renderer who are shown the same. `files`: the
 * address of who moves bytes of files, which needs no token. `endpoints`: the address of who sends requests to
 * integrations. `preflights`: the address of a browser whose CORS preflights are counted apart, as they carry no token.
 */
export type RateKey =
  | { token: string; of?: string | undefined; visitor?: string | undefined }
  | { address: string }
  | { preflights: string }
  | { files: string }
  | { endpoints: string };

/** Rate limits that the gateways of an installation share. */
export interface Rates {
  /** Counts `requests` (1 unless set); `undefined` if such requests are not limited. */
  take(key: RateKey, rate: RateClass, requests?: number): Taken | undefined;
  start(): Promise<void>;
  stop(): void;
}

export interface RatesDeps {
  limits: RateLimits;
  /** Reaches the other gateways of the installation. */
  publish: (subject: string, body: Uint8Array) => void;
  subscribe: (subject: string, handler: (body: Uint8Array) => void) => Promise<unknown>;
  now?: () => number;
}

const subject = 'gateway.rates';
/** Tokens and addresses at a time. */
const maxBuckets = 100_000;
const maxCachedAddresses = 10_000;
const reportEveryMs = 100;
const keysPerMessage = 1_000;

const Report = z.object({ from: z.string(), spent: z.array(z.tuple([z.string(), z.int().min(1)])) });

/**
 * Each gateway counts by itself and reports to the others every 100 ms what it accepted, so that no request waits for a
 * count. A caller can exceed the limit by what the gateways accept within that time.
 */
export function createRates({ limits, publish, subscribe, now }: RatesDeps): Rates {
  const buckets = createBuckets(maxBuckets, now);
  const hashed = addressHashes();
  const from = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  let isShared = false;
  const report = (): void => {
    timer = undefined;
    const spent = buckets.takenHere();
    for (let start = 0; start < spent.length; start += keysPerMessage) {
      publish(subject, Buffer.from(JSON.stringify({ from, spent: spent.slice(start, start + keysPerMessage) })));
    }
  };
  const receive = (body: Uint8Array): void => {
    const received = readAnnouncement(Report, body);
    if (received === undefined || received.from === from) return;
    for (const [key, count] of received.spent) buckets.takenElsewhere(key, count);
  };
  return {
    take(key, rate, requests) {
      const limit = requestsOf(limits, key, rate);
      if (limit === 0) return undefined;
      if (isShared) timer ??= setTimeout(report, reportEveryMs).unref();
      return buckets.take(bucketOf(key, rate, hashed), limit, requests);
    },
    async start() {
      if (Object.values(limits).every((limit) => limit === 0)) return;
      await subscribe(subject, receive);
      isShared = true;
    },
    stop() {
      isShared = false;
      clearTimeout(timer);
    },
  };
}

function requestsOf(limits: RateLimits, key: RateKey, rate: RateClass): number {
  if ('address' in key || 'endpoints' in key) return limits.anonymous;
  return 'files' in key ? limits.files : limits[rate];
}

function bucketOf(key: RateKey, rate: RateClass, hashed: (address: string) => string): string {
  if ('token' in key) {
    const { token, of, visitor } = key;
    const more = [of, visitor === undefined ? undefined : hashed(visitor)];
    return [rate, token, ...more.filter((part) => part !== undefined)].join(':');
  }
  if ('address' in key) return hashed(key.address);
  if ('endpoints' in key) return `endpoints:${hashed(key.endpoints)}`;
  return 'files' in key ? `files:${hashed(key.files)}` : `preflights:${hashed(key.preflights)}`;
}

/** Addresses are personal data, so they leave the process as hashes. The hashes of frequent addresses are cached. */
function addressHashes(): (address: string) => string {
  const known = new LRUCache<string, string>({ max: maxCachedAddresses });
  return (address) => {
    const made = known.get(address) ?? createHash('sha256').update(networkOf(address)).digest('base64url').slice(0, 22);
    known.set(address, made);
    return made;
  };
}

/** What is limited, as in `searches of a token`, and the setting of the limit. */
export interface RateLimit {
  of: string;
  setting: string;
}

const ofToken: Readonly<Record<RateClass, RateLimit>> = {
  ordinary: { of: 'requests of a token', setting: 'RATE_LIMIT' },
  search: { of: 'searches of a token', setting: 'RATE_LIMIT_SEARCH' },
  'content-write': { of: 'changes of the content of a space by a token', setting: 'RATE_LIMIT_CONTENT_WRITE' },
  'spec-write': { of: 'new sources of an OpenAPI specification by a token', setting: 'RATE_LIMIT_SPEC_WRITE' },
  pdf: { of: 'PDFs of a token', setting: 'RATE_LIMIT_PDF' },
};

/** The limit that requests of a key and class count against. */
export function limitOf(key: RateKey, rate: RateClass): RateLimit {
  if ('address' in key) return { of: 'requests of an address without a token', setting: 'RATE_LIMIT_ANONYMOUS' };
  if ('files' in key) return { of: 'transfers of files of an address', setting: 'RATE_LIMIT_FILES' };
  if ('endpoints' in key) return { of: 'requests of an address to integrations', setting: 'RATE_LIMIT_ANONYMOUS' };
  if ('preflights' in key) return { of: 'preflights of an address', setting: 'RATE_LIMIT' };
  return ofToken[rate];
}

/** The refusal of a request that exceeds its rate. `batch`: how one request does the work of many. */
export function tooMany({ waitMs, limit }: Taken, { of, setting }: RateLimit, batch?: string): AppError {
  return new AppError('rate_limited', [], {
    message: `At most ${limit} ${of} are possible in a minute (setting ${setting})${batch === undefined ? '' : `; ${batch}`}`,
    retryAfter: Math.ceil(waitMs / 1000),
  });
}

/** Headers that tell a client the state of its rate. */
export function rateHeaders({ limit, remaining, full }: Taken): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(full / 1000)),
  };
}
