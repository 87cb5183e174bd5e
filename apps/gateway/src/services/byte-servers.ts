import type { IncomingMessage } from 'node:http';
import { type ByteServerNews, AppError, isReason } from '@scriptorium/contracts';
import * as z from 'zod';
import { readAnnouncement } from './read-announcement.js';

/** The replicas that serve bytes of one kind, as far as they announce themselves. */
export interface ByteServers {
  /** Takes an announcement, as it comes over the wire. */
  receive(body: Uint8Array): void;
  /** Addresses of the living replicas, each time another one first. Waits a moment for the first announcement. */
  living(): Promise<string[]>;
}

interface Known {
  url: string;
  heardAt: number;
}

/** Three announcements may be lost. */
const livesForMs = 4_000;
const firstWithinMs = 1_500;
const lookEveryMs = 50;
const mostKnown = 1_000;

const News = z.object({
  id: z.string().min(1).max(64),
  url: z.url({ protocol: /^http$/ }),
  isStopping: z.boolean(),
}) satisfies z.ZodType<ByteServerNews>;

/** Keeps track of the replicas. `now` in ms on any clock. */
export function createByteServers(now: () => number = () => performance.now()): ByteServers {
  const known = new Map<string, Known>();
  let turn = 0;
  const alive = (): string[] => {
    for (const [id, { heardAt }] of known) if (now() - heardAt > livesForMs) known.delete(id);
    const urls = [...known.values()].map(({ url }) => url);
    turn += 1;
    const first = urls.length === 0 ? 0 : turn % urls.length;
    return [...urls.slice(first), ...urls.slice(0, first)];
  };
  return {
    receive(body) {
      const news = readAnnouncement(News, body);
      if (news === undefined) return;
      const { id, url, isStopping } = news;
      if (isStopping) known.delete(id);
      else if (known.has(id) || known.size < mostKnown) known.set(id, { url, heardAt: now() });
    },
    async living() {
      const until = now() + firstWithinMs;
      let urls = alive();
      // A gateway that has just started has not heard of anybody yet.
      while (urls.length === 0 && now() < until) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        urls = alive();
      }
      return urls;
    },
  };
}

/**
 * Asks one replica after the other, as long as they cannot be reached. `none`: the refusal when there is none.
 * @throws what `none` answers, and what `ask` throws for the last replica that was asked
 */
export async function fromFirstReached<T>(
  urls: readonly string[],
  none: () => AppError,
  ask: (url: string) => Promise<T>,
): Promise<T> {
  if (urls.length === 0) throw none();
  let failure: unknown;
  for (const url of urls) {
    try {
      return await ask(url);
    } catch (error) {
      failure = error;
      if (!isUnreached(error)) break;
    }
  }
  throw failure;
}

/** Nothing of the request was carried out: its replica is gone. */
function isUnreached(error: unknown): boolean {
  const cause = error instanceof AppError ? (error.cause as { code?: unknown } | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'EHOSTUNREACH';
}

const largestRefusal = 16 * 1024;

const Refusal = z.object({
  reason: z.string(),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })),
  retryAfter: z.number().optional(),
});

/** The refusal that a replica has answered instead of bytes. */
export async function refusalIn(response: IncomingMessage): Promise<AppError> {
  const refusal = Refusal.safeParse(await jsonIn(response).catch(() => undefined));
  if (!refusal.success || !isReason(refusal.data.reason)) return new AppError('unavailable', [], { retryAfter: 1 });
  const { reason, message, details, retryAfter } = refusal.data;
  return new AppError(reason, details, { message, ...(retryAfter === undefined ? {} : { retryAfter }) });
}

async function jsonIn(response: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > largestRefusal) break;
  }
  return JSON.parse(text);
}
