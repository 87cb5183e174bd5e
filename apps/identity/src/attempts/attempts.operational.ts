import { AppError } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import { settingOfLimit, type Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** How often something was tried recently, by a keyed hash of its subject. All replicas share these records. */
export interface AttemptsDocument {
  _id: string;
  tries: number;
  /** When the next attempt is possible, epoch ms. */
  next: number;
  /** When the last attempt was made, epoch ms. */
  at: number;
}

/** An attempt that is counted. */
interface Attempt {
  kind: 'account' | 'address' | 'link' | 'invited' | 'digest';
  /** The subject: an e-mail address, the address of a client, or an id. */
  of: string;
}

type LimitName = 'signInTriesPerAccount' | 'signInTriesPerAddress' | 'signInLinksPerMailbox';

const minute = 60_000;

/**
 * For each kind: the number of attempts without a wait, or the limit of the installation that has it; the first wait,
 * which doubles up to 15 minutes; and the time after which attempts are forgotten, in ms.
 */
const limits: Readonly<Record<Attempt['kind'], { free: number | LimitName; wait: number; forgottenAfter: number }>> = {
  account: { free: 'signInTriesPerAccount', wait: 5_000, forgottenAfter: 24 * 60 * minute },
  address: { free: 'signInTriesPerAddress', wait: 1_000, forgottenAfter: 60 * minute },
  link: { free: 'signInLinksPerMailbox', wait: minute, forgottenAfter: 60 * minute },
  invited: { free: 3, wait: 10 * minute, forgottenAfter: 24 * 60 * minute },
  digest: { free: 1, wait: minute, forgottenAfter: 24 * 60 * minute },
};
const longestWait = 15 * minute;
const maxConflicts = 5;

const attemptsName = 'op_sign_in_attempts';
export const attemptIndexes = { [attemptsName]: [{ key: { at: 1 }, name: 'at' }] } as const;

export function attempts({ database }: Scope): Collection<AttemptsDocument> {
  return database.collection<AttemptsDocument>(attemptsName);
}

/**
 * Counts an attempt before its outcome is known, so that concurrent attempts are counted like successive ones.
 * @throws AppError `rate_limited` when it comes too early, whether or not the account exists
 */
export async function countAttempt(scope: Scope, attempted: Attempt): Promise<void> {
  const key = keyOf(scope, attempted);
  for (let race = 0; race < maxConflicts; race += 1) {
    const now = scope.now();
    const known = await attempts(scope).findOne({ _id: key });
    if (known !== null && known.next > now) throw rateLimited(scope, attempted, known.next - now);
    if (await record(attempts(scope), key, known, afterTry(scope, attempted, known, now))) return;
  }
  // Others were counted at the same moment, again and again.
  throw new AppError('rate_limited', [], { message: 'Too many attempts at the same moment, try again', retryAfter: 1 });
}

function afterTry(
  scope: Pick<Scope, 'limits'>,
  { kind }: Attempt,
  known: AttemptsDocument | null,
  now: number,
): Omit<AttemptsDocument, '_id'> {
  const { wait: first, forgottenAfter } = limits[kind];
  const free = freeOf(scope, kind);
  const tries = known === null || now - known.at >= forgottenAfter ? 1 : known.tries + 1;
  const wait = tries < free ? 0 : Math.min(longestWait, first * 2 ** Math.min(tries - free, 20));
  return { tries, next: now + wait, at: now };
}

/** Records an attempt. False when another one was counted at the same time. */
export async function record(
  collection: Collection<AttemptsDocument>,
  key: string,
  known: AttemptsDocument | null,
  next: Omit<AttemptsDocument, '_id'>,
): Promise<boolean> {
  if (known !== null) return (await collection.updateOne({ ...known }, { $set: next })).matchedCount === 1;
  try {
    await collection.insertOne({ _id: key, ...next });
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Whether an attempt was counted that is not forgotten yet. */
export async function isCounted(scope: Scope, attempted: Attempt): Promise<boolean> {
  const known = await attempts(scope).findOne({ _id: keyOf(scope, attempted) });
  return known !== null && scope.now() - known.at < limits[attempted.kind].forgottenAfter;
}

/** Removes the counted attempts after one has succeeded. */
export async function forgetAttempts(scope: Scope, attempted: Attempt): Promise<void> {
  await attempts(scope).deleteOne({ _id: keyOf(scope, attempted) });
}

/** Subtracts one attempt that has succeeded. Failed attempts of others under the same key stay counted. */
export async function uncountAttempt(scope: Scope, attempted: Attempt): Promise<void> {
  await attempts(scope).updateOne(
    { _id: keyOf(scope, attempted), tries: { $gt: 0 } },
    { $inc: { tries: -1 }, $set: { next: 0 } },
  );
}

/** The most records. When there are more, the oldest are removed. */
const maxEntries = 100_000;

/** Removes records that no longer count, and those beyond the limit. */
export async function sweepAttempts(scope: Scope): Promise<void> {
  const collection = attempts(scope);
  await collection.deleteMany({ at: { $lt: scope.now() - 24 * 60 * minute } });
  const [first] = await collection.find().sort({ at: -1 }).skip(maxEntries).limit(1).toArray();
  if (first !== undefined) await collection.deleteMany({ at: { $lte: first.at } });
}

export function keyOf({ keys }: Scope, { kind, of }: { kind: string; of: string }): string {
  return `${kind}:${keys.digest('tries', kind, of.toLowerCase()).toString('base64url')}`;
}

function freeOf(scope: Pick<Scope, 'limits'>, kind: Attempt['kind']): number {
  const { free } = limits[kind];
  return typeof free === 'number' ? free : scope.limits[free];
}

/** What is limited, for the message. */
const subjects: Readonly<Record<LimitName, string>> = {
  signInTriesPerAccount: 'failed sign-ins to an account are',
  signInTriesPerAddress: 'failed sign-ins and requested links of a network address are',
  signInLinksPerMailbox: 'links to one address are',
};

function rateLimited(scope: Pick<Scope, 'limits'>, { kind }: Attempt, ms: number): AppError {
  const { free } = limits[kind];
  const message =
    typeof free === 'number'
      ? 'Too many attempts, wait before the next one'
      : `At most ${scope.limits[free]} ${subjects[free]} possible without a wait (setting ${settingOfLimit(free)}); wait before the next one`;
  return new AppError('rate_limited', [], { message, retryAfter: ms / 1_000 });
}
