import { AppError } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** How often something was tried of late, by a keyed hash of who or what; shared by all replicas. */
interface AttemptsDocument {
  _id: string;
  tries: number;
  /** The next one is possible from then on, epoch ms. */
  next: number;
  /** Of the last one, epoch ms. */
  at: number;
}

/** What is counted, and how patiently. */
interface Counted {
  kind: 'account' | 'address' | 'link' | 'invitation';
  /** An e-mail address, a client's address, an id. */
  of: string;
}

const minute = 60_000;

/** Tries that cost no waiting, the first wait, which doubles up to 15 minutes, and the time after which all is forgotten; ms. */
const patience: Readonly<Record<Counted['kind'], { free: number; wait: number; forgottenAfter: number }>> = {
  account: { free: 5, wait: 5_000, forgottenAfter: 24 * 60 * minute },
  address: { free: 50, wait: 1_000, forgottenAfter: 60 * minute },
  link: { free: 3, wait: minute, forgottenAfter: 60 * minute },
  invitation: { free: 2, wait: 10 * minute, forgottenAfter: 24 * 60 * minute },
};
const longestWait = 15 * minute;
const races = 5;

const attemptsName = 'op_sign_in_attempts';
export const attemptIndexes = { [attemptsName]: [{ key: { at: 1 }, name: 'at' }] } as const;

function attempts({ store }: ServiceContext): Collection<AttemptsDocument> {
  return store.database.collection<AttemptsDocument>(attemptsName);
}

/**
 * Counts a try before its outcome is known, so that many at once are no more than one after another.
 * @throws AppError `rate_limited` when it comes too early. Whether the account exists makes no difference.
 */
export async function countTry(context: ServiceContext, counted: Counted): Promise<void> {
  const key = keyOf(context, counted);
  for (let race = 0; race < races; race += 1) {
    const now = context.now();
    const known = await attempts(context).findOne({ _id: key });
    if (known !== null && known.next > now) throw tooMany(known.next - now);
    if (await note(attempts(context), key, known, afterTry(counted, known, now))) return;
  }
  throw tooMany(1_000);
}

function afterTry({ kind }: Counted, known: AttemptsDocument | null, now: number): Omit<AttemptsDocument, '_id'> {
  const { free, wait: first, forgottenAfter } = patience[kind];
  const tries = known === null || now - known.at >= forgottenAfter ? 1 : known.tries + 1;
  const wait = tries < free ? 0 : Math.min(longestWait, first * 2 ** Math.min(tries - free, 20));
  return { tries, next: now + wait, at: now };
}

/** Writes it unless somebody else has counted meanwhile. */
async function note(collection: Collection<AttemptsDocument>, key: string, known: AttemptsDocument | null, next: Omit<AttemptsDocument, '_id'>): Promise<boolean> {
  if (known !== null) return (await collection.updateOne({ ...known }, { $set: next })).matchedCount === 1;
  try {
    await collection.insertOne({ _id: key, ...next });
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Forgets the tries: one has succeeded. */
export async function forgetTries(context: ServiceContext, counted: Counted): Promise<void> {
  await attempts(context).deleteOne({ _id: keyOf(context, counted) });
}

/** Takes back one try that has succeeded, where others go on counting. */
export async function takeBackTry(context: ServiceContext, counted: Counted): Promise<void> {
  await attempts(context).updateOne({ _id: keyOf(context, counted), tries: { $gt: 0 } }, { $inc: { tries: -1 }, $set: { next: 0 } });
}

/** More entries than this are not kept: the oldest go. */
const mostEntries = 100_000;

/** Removes what is forgotten, and what is too much. */
export async function sweepTries(context: ServiceContext): Promise<void> {
  const collection = attempts(context);
  await collection.deleteMany({ at: { $lt: context.now() - 24 * 60 * minute } });
  const [first] = await collection.find().sort({ at: -1 }).skip(mostEntries).limit(1).toArray();
  if (first !== undefined) await collection.deleteMany({ at: { $lte: first.at } });
}

function keyOf({ keys }: ServiceContext, { kind, of }: Counted): string {
  return `${kind}:${keys.digest('tries', kind, of.toLowerCase()).toString('base64url')}`;
}

function tooMany(ms: number): AppError {
  return new AppError('rate_limited', [], { message: 'Too many tries, wait before the next one', retryAfter: ms / 1_000 });
}
