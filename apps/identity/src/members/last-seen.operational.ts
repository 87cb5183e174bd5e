import { createRemembered, readable, systemClock, type ReadModel, type Remembered, type Store } from '@scriptorium/event-sourcing';
import { MongoServerError } from 'mongodb';
import { memberKey } from './member.projection.js';

/** When a member was last seen: written without an event, so it stands beside the projections, not in one. */
export interface LastSeenDocument {
  organization: string;
  at: string;
}

interface LastSeen {
  /** By `memberKey` of the membership. */
  model: ReadModel<LastSeenDocument>;
  /** The latest of an organization. */
  latest: Remembered<Pick<LastSeenDocument, 'at'> | null>;
  indexed: Promise<unknown> | undefined;
}

/** What is stored at most once a minute may be shown this much later, ms: then lists of members need no query of their own for it. */
const lookedAtEvery = 100;
const organizationsRemembered = 10_000;
/** What is seen more often is not stored, ms (decisions 1.5 "POST ping"). */
const storedEvery = 60_000;

const known = new WeakMap<Store, LastSeen>();

function ofStore(store: Store): LastSeen {
  const found = known.get(store) ?? {
    model: readable<LastSeenDocument>(store.database.collection('op_last_seen')),
    latest: createRemembered<Pick<LastSeenDocument, 'at'> | null>({ max: organizationsRemembered }, systemClock),
    indexed: undefined,
  };
  known.set(store, found);
  return found;
}

const duplicateKey = 11000;

/** By `memberKey` of the membership. */
export function lastSeen(store: Store): ReadModel<LastSeenDocument> {
  return ofStore(store).model;
}

/**
 * When somebody of the organization was last seen, empty when nobody ever was; at most 100 ms old. No event changes with it:
 * it belongs into the key of every answer that is remembered and shows `lastSeenAt`.
 */
export async function latestSeen(store: Store, organization: string): Promise<string> {
  const seen = ofStore(store);
  const now = () => String(Math.floor(systemClock.monotonic() / lookedAtEvery));
  return (await seen.latest.get(organization, now, () => readLatest(seen, organization)))?.at ?? '';
}

/** Records that a member is there; nothing when that was recorded less than a minute ago, whoever recorded it. */
export async function recordSeen(store: Store, { organization, user, now }: { organization: string; user: string; now: number }): Promise<void> {
  const _id = memberKey(organization, user);
  const due = { _id, at: { $lte: new Date(now - storedEvery).toISOString() } };
  try {
    await lastSeen(store).raw.updateOne(due, { $set: { organization, at: new Date(now).toISOString() } }, { upsert: true });
  } catch (error) {
    // There is a record, and it is not due: the id alone made the upsert fail.
    if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
  }
}

/** Forgets a member who left, unless they have come back since. */
export async function forgetSeen(store: Store, { organization, user, left }: { organization: string; user: string; left: string }): Promise<void> {
  await lastSeen(store).raw.deleteOne({ _id: memberKey(organization, user), at: { $lte: left } });
}

/** Forgets all that were seen in an organization. */
export async function forgetOrganization(store: Store, organization: string): Promise<void> {
  await lastSeen(store).raw.deleteMany({ organization });
}

async function readLatest(seen: LastSeen, organization: string): Promise<Pick<LastSeenDocument, 'at'> | null> {
  seen.indexed ??= seen.model.raw.createIndexes([{ key: { organization: 1, at: 1, _id: 1 }, name: 'organization_at' }]).catch((error: unknown) => {
    seen.indexed = undefined;
    throw error;
  });
  await seen.indexed;
  return seen.model.findOne({ organization }, { sort: { at: -1 }, projection: { at: 1 } });
}
