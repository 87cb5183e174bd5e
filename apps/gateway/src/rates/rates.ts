import { createHash, randomUUID } from 'node:crypto';
import { AppError, type RateClass } from '@scriptorium/contracts';
import { networkOf } from '@scriptorium/platform/network';
import * as z from 'zod';
import { createBuckets, type Taken } from './buckets.js';

/** Requests a minute; 0 = not limited. */
export interface RateLimits extends Readonly<Record<RateClass, number>> {
  /** Of one address, without a token that is good. */
  readonly anonymous: number;
}

/** Whose requests count together. `preflights`: the address of a browser that asks what its pages may call; it does so for each of them, and none says whose token will come. */
export type Bearer = { token: string } | { address: string } | { preflights: string };

/** Limits of the rate of requests, shared by the gateways of an installation. */
export interface Rates {
  /** Counts a request, or so many; `undefined` while such requests are not limited. */
  take(bearer: Bearer, rate: RateClass, requests?: number): Taken | undefined;
  start(): Promise<void>;
  stop(): void;
}

export interface RatesDeps {
  limits: RateLimits;
  /** Other gateways, on a subject of the installation's. */
  publish: (subject: string, body: Uint8Array) => void;
  subscribe: (subject: string, handler: (body: Uint8Array) => void) => Promise<unknown>;
  now?: () => number;
}

const subject = 'gateway.rates';
/** Tokens and addresses known at a time. */
const bucketsKept = 100_000;
const tellEveryMs = 100;
const keysPerMessage = 1_000;

const newsSchema = z.object({ from: z.string(), spent: z.array(z.tuple([z.string(), z.int().min(1)])) });

/**
 * Each gateway counts by itself and tells the others every 100 ms what it let through, so that no request waits for a count.
 * What a bearer can have beyond the limit is what all gateways let through in that time.
 */
export function createRates({ limits, publish, subscribe, now }: RatesDeps): Rates {
  const buckets = createBuckets(bucketsKept, now);
  const from = randomUUID();
  let telling: NodeJS.Timeout | undefined;
  const tell = (): void => {
    const spent = buckets.spent();
    for (let start = 0; start < spent.length; start += keysPerMessage) {
      publish(subject, Buffer.from(JSON.stringify({ from, spent: spent.slice(start, start + keysPerMessage) })));
    }
  };
  const hear = (body: Uint8Array): void => {
    const news = newsSchema.safeParse(parse(body));
    if (!news.success || news.data.from === from) return;
    for (const [key, count] of news.data.spent) buckets.takenElsewhere(key, count);
  };
  return {
    take(bearer, rate, requests) {
      const limit = 'address' in bearer ? limits.anonymous : limits[rate];
      return limit === 0 ? undefined : buckets.take(keyOf(bearer, rate), limit, requests);
    },
    async start() {
      if (Object.values(limits).every((limit) => limit === 0)) return;
      await subscribe(subject, hear);
      telling = setInterval(tell, tellEveryMs).unref();
    },
    stop: () => clearInterval(telling),
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

function keyOf(bearer: Bearer, rate: RateClass): string {
  if ('token' in bearer) return `${rate}:${bearer.token}`;
  // Addresses are personal data: they leave the process as a hash.
  const hashed = (address: string): string => createHash('sha256').update(networkOf(address)).digest('base64url').slice(0, 22);
  return 'address' in bearer ? hashed(bearer.address) : `preflights:${hashed(bearer.preflights)}`;
}

/** The refusal of a request that came too early. */
export function tooMany({ waitMs, limit }: Taken): AppError {
  return new AppError('rate_limited', [], { message: `More than ${limit} requests a minute`, retryAfter: Math.ceil(waitMs / 1000) });
}

/** Headers that say how a caller stands (decisions 1.1). */
export function rateHeaders({ limit, remaining, full }: Taken): Record<string, string> {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(Math.ceil(full / 1000)) };
}
