import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AppError,
  type ErrorDetail,
  type Operation,
  type Reason,
  reasonStatus,
  wireHeader,
} from '@scriptorium/contracts';
import { type Clock, systemClock } from '@scriptorium/event-sourcing';
import type { Collection, Db } from 'mongodb';
import { createIdempotencyWrites, type IdempotencyWrites } from './idempotency-writes.js';
import type { WireReply } from '../handlers/exchange.js';
import { publicBody, publicHeaders } from './public-reply.js';

/** A request that carries an idempotency key. */
export interface KeyedRequest {
  /** As the client sent it. */
  key: string;
  /** The owner of the key. Callers cannot see each other's keys. */
  principal: string;
  operation: Operation;
  input: unknown;
  /** Epoch ms at which the caller stops waiting. */
  deadline: number;
}

/**
 * The first answers to requests with an idempotency key. They are kept for 24 h and shared by the replicas of a
 * service.
 */
export interface IdempotencyStore {
  /** Prepares the store. Call it before the first request. */
  start(): Promise<void>;
  /**
   * The stored answer to this request, or the result of `work`. `work` begins while the key is being claimed, and
   * awaits `taken`, which may reject, before any effect. Requests with one key wait for each other. If the first dies
   * or is slow, the next continues after 3 s: events contain the key too.
   * @throws AppError `idempotency_key_reused` for another request, `idempotency_in_progress` when there is no time left
   */
  once(request: KeyedRequest, work: ClaimedWork): Promise<WireReply>;
  /** The stored answer to this request, if any. @throws AppError `idempotency_key_reused` for another request */
  earlier(request: KeyedRequest): Promise<WireReply | undefined>;
  /**
   * Removes all answers when a person is erased, since any may contain their data. Keys still belong to their requests.
   */
  forget(): Promise<void>;
}

/** The work of a request. */
export type ClaimedWork = (taken: () => Promise<void>) => Promise<WireReply>;

interface AnswerDocument {
  _id: string;
  /** Keyed hash of the request to which the key belongs. */
  request: string;
  /** The process that works on it; absent after the answer. */
  worker?: string;
  /** When another process may continue the work, epoch ms. */
  until: number;
  /** When the key can be used anew, epoch ms. */
  expires: number;
  /** The stored reply. Without it and without `refusal`, the answer was removed or never stored. */
  reply?: { body: string; headers: Record<string, string> };
  refusal?: { reason: Reason; message: string; details: readonly ErrorDetail[] };
}

type Claim = AnswerDocument & { worker: string };

const keptForMs = 24 * 3_600_000;
const workingForMs = 3_000;
const lookEveryMs = 25;
const timeToAnswerMs = 500;
const sweepEveryMs = 60_000;
const longestBody = 1024 * 1024;

/** Temporary refusals, which are not stored since a repetition may succeed. */
const passing: ReadonlySet<Reason> = new Set([
  'conflict',
  'idempotency_in_progress',
  'precondition_failed',
  'rate_limited',
  'unauthenticated',
]);

/** Stores answers in the database of a service. `secret`: keys the hashes of requests, and is never rotated. */
export function createIdempotencyStore(db: Db, secret: Buffer, clock: Clock = systemClock): IdempotencyStore {
  const kept = db.collection<AnswerDocument>('op_answers');
  const writes = createIdempotencyWrites(kept);
  const sweep = sweeper(kept, clock);
  return {
    async start() {
      await kept.createIndex({ expires: 1 });
    },
    async once(request, work) {
      sweep();
      const claim = claimOf(request, secret, clock.now());
      const taking = writes.insert({ ...claim });
      // It may fail before it is awaited. The rejection is handled here, and the promise is awaited in any case.
      taking.catch(() => undefined);
      const begun = await outcomeOf(
        work(async () => {
          if (!(await taking)) throw new AppError('idempotency_in_progress');
        }),
      );
      if (await taking) return conclude(writes, claim, request.operation, begun);
      const earlier = await take({ kept, writes }, claim, request.deadline, clock);
      if (earlier !== undefined) return replay(earlier);
      return conclude(writes, claim, request.operation, await outcomeOf(work(() => Promise.resolve())));
    },
    async earlier(request) {
      const claim = claimOf(request, secret, clock.now());
      for (;;) {
        const found = await kept.findOne({ _id: claim._id });
        const state = found === null ? 'open' : await stateOf(found, claim, request.deadline, clock);
        if (state !== 'worked on') return found === null || state === 'open' ? undefined : replay(found);
      }
    },
    async forget() {
      await writes.idle();
      const answered = { $or: [{ reply: { $exists: true } }, { refusal: { $exists: true } }] };
      await kept.updateMany(answered, { $set: { until: 0 }, $unset: { reply: '', refusal: '' } });
    },
  };
}

/** Expired answers are not used any more. They may stay until the next sweep. */
function sweeper(kept: Collection<AnswerDocument>, clock: Clock): () => void {
  let next = 0;
  return () => {
    const now = clock.now();
    if (now < next) return;
    next = now + sweepEveryMs;
    kept.deleteMany({ expires: { $lt: now } }).catch(() => undefined);
  };
}

function claimOf({ key, principal, operation, input }: KeyedRequest, secret: Buffer, now: number): Claim {
  const hash = (...parts: unknown[]): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['answers', ...parts]))
      .digest('base64url');
  return {
    _id: hash(principal, key),
    request: hash(key, operation.id, input),
    worker: randomUUID(),
    until: now + workingForMs,
    expires: now + keptForMs,
  };
}

interface Keeping {
  kept: Collection<AnswerDocument>;
  writes: IdempotencyWrites<AnswerDocument>;
}

/** Claims the key for this request, or finds the stored answer. */
async function take(
  { kept, writes }: Keeping,
  claim: Claim,
  deadline: number,
  clock: Clock,
): Promise<AnswerDocument | undefined> {
  for (;;) {
    claim.until = clock.now() + workingForMs;
    if (await writes.insert({ ...claim })) return undefined;
    const found = await kept.findOne({ _id: claim._id });
    if (found === null) continue;
    const state = await stateOf(found, claim, deadline, clock);
    if (state === 'answered') return found;
    if (state === 'worked on') continue;
    const { modifiedCount } = await kept.replaceOne(
      { _id: claim._id, until: found.until, request: found.request },
      claim,
    );
    if (modifiedCount === 1) return undefined;
  }
}

/**
 * The state of the request that claimed the key. While it is being worked on, this waits for a while.
 * @throws AppError for a key that belongs to another request, and when no time is left
 */
async function stateOf(
  found: AnswerDocument,
  { request }: Claim,
  deadline: number,
  clock: Clock,
): Promise<'answered' | 'worked on' | 'open'> {
  const now = clock.now();
  if (found.expires <= now) return 'open';
  if (found.request !== request) throw reused();
  if (found.reply !== undefined || found.refusal !== undefined) return 'answered';
  if (found.until <= now) return 'open';
  if (now >= deadline - timeToAnswerMs)
    throw new AppError('idempotency_in_progress', [], {
      message: 'A request with this Idempotency-Key is still being worked on',
      retryAfter: 1,
    });
  await pause(lookEveryMs);
  return 'worked on';
}

function reused(): AppError {
  const message = 'Was used for another request';
  return new AppError('idempotency_key_reused', [{ path: 'headers.idempotency-key', message }], {
    message: `Idempotency-Key: ${message}`,
  });
}

type Outcome = { reply: WireReply } | { error: unknown };

function outcomeOf(working: Promise<WireReply>): Promise<Outcome> {
  return working.then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
}

/** The caller does not wait until the answer is stored; if it never is, the events show what happened. */
function conclude(
  writes: IdempotencyWrites<AnswerDocument>,
  { _id, worker }: Claim,
  operation: Operation,
  outcome: Outcome,
): WireReply {
  const keep = (answer: Partial<AnswerDocument>) =>
    writes.finish(_id, worker, { $set: answer, $unset: { worker: '' } });
  if ('reply' in outcome) {
    const { reply } = outcome;
    if (reply.body.length > longestBody) keep({ until: 0 });
    else keep({ reply: { body: publicBody(reply.body, operation), headers: publicHeaders(reply) } });
    return reply;
  }
  const { error } = outcome;
  const refused = error instanceof AppError && reasonStatus[error.reason] < 500 && !passing.has(error.reason);
  if (refused) keep({ refusal: { reason: error.reason, message: error.message, details: error.details } });
  // The next request may continue at once. The record of the key stays, since part of the failed work may have been
  // done.
  else keep({ until: 0 });
  throw error;
}

function replay({ reply, refusal }: AnswerDocument): WireReply {
  if (refusal !== undefined)
    throw new AppError(refusal.reason, refusal.details, { message: refusal.message, replayed: true });
  const { body = '', headers = {} } = reply ?? {};
  return { body: Buffer.from(body), headers: { ...headers, [wireHeader.replayed]: 'true' } };
}
