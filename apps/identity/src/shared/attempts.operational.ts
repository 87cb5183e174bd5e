import { AppError } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** How often something was tried of late, by a keyed hash of who or what; shared by all replicas. */
interface AttemptsDocument {
  _id: string;
  tries: number;
  /** The next try is possible from then on, epoch ms. */
  next: number;
  /** Time of the last try, epoch ms. */
  at: number;
}

/** What is tried. */
interface Attempted {
  kind: 'account' | 'address' | 'link' | 'invited' | 'inviter';
  /** An e-mail address, a client's address, an id. */
  of: string;
}

const minute = 60_000;

/** Tries without waiting, the first wait, which doubles up to 15 minutes, and the time after which tries are forgotten; ms. */
const limits: Readonly<Record<Attempted['kind'], { free: number; wait: number; forgottenAfter: number }>> = {
  account: { free: 5, wait: 5_000, forgottenAfter: 24 * 60 * minute },
  address: { free: 50, wait: 1_000, forgottenAfter: 60 * minute },
  link: { free: 3, wait: minute, forgottenAfter: 60 * minute },
  invited: { free: 3, wait: 10 * minute, forgottenAfter: 24 * 60 * minute },
  inviter: { free: 1_000, wait: minute, forgottenAfter: 24 * 60 * minute },
};
const longestWait = 15 * minute;
const races = 5;

const attemptsName = 'op_sign_in_attempts';
export const attemptIndexes = { [attemptsName]: [{ key: { at: 1 }, name: 'at' }] } as const;

function attempts({ database }: Scope): Collection<AttemptsDocument> {
  return database.collection<AttemptsDocument>(attemptsName);
}

/**
 * Counts a try before its outcome is known, so that many tries at once are counted like tries one after another.
 * @throws AppError `rate_limited` when it comes too early. Whether the account exists makes no difference.
 */
export async function countTry(scope: Scope, attempted: Attempted): Promise<void> {
  const key = keyOf(scope, attempted);
  for (let race = 0; race < races; race += 1) {
    const now = scope.now();
    const known = await attempts(scope).findOne({ _id: key });
    if (known !== null && known.next > now) throw tooMany(known.next - now);
    if (await record(attempts(scope), key, known, afterTry(attempted, known, now))) return;
  }
  throw tooMany(1_000);
}

function afterTry({ kind }: Attempted, known: AttemptsDocument | null, now: number): Omit<AttemptsDocument, '_id'> {
  const { free, wait: first, forgottenAfter } = limits[kind];
  const tries = known === null || now - known.at >= forgottenAfter ? 1 : known.tries + 1;
  const wait = tries < free ? 0 : Math.min(longestWait, first * 2 ** Math.min(tries - free, 20));
  return { tries, next: now + wait, at: now };
}

/** Records a try; false when another one was counted meanwhile. */
async function record(
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

/** Forgets the tries, after one of them has succeeded. */
export async function forgetTries(scope: Scope, attempted: Attempted): Promise<void> {
  await attempts(scope).deleteOne({ _id: keyOf(scope, attempted) });
}

/** Takes back one try that has succeeded; failed tries of others, counted under the same key, stay counted. */
export async function takeBackTry(scope: Scope, attempted: Attempted): Promise<void> {
  await attempts(scope).updateOne(
    { _id: keyOf(scope, attempted), tries: { $gt: 0 } },
    { $inc: { tries: -1 }, $set: { next: 0 } },
  );
}

/** Entries that are kept; beyond that the oldest are removed. */
const mostEntries = 100_000;

/** Removes entries that no longer count, and those beyond the limit. */
export async function sweepAttempts(scope: Scope): Promise<void> {
  const collection = attempts(scope);
  await collection.deleteMany({ at: { $lt: scope.now() - 24 * 60 * minute } });
  const [first] = await collection.find().sort({ at: -1 }).skip(mostEntries).limit(1).toArray();
  if (first !== undefined) await collection.deleteMany({ at: { $lte: first.at } });
}

function keyOf({ keys }: Scope, { kind, of }: Attempted): string {
  return `${kind}:${keys.digest('tries', kind, of.toLowerCase()).toString('base64url')}`;
}

function tooMany(ms: number): AppError {
  return new AppError('rate_limited', [], {
    message: 'Too many tries, wait before the next one',
    retryAfter: ms / 1_000,
  });
}
