import type { ServiceAccess } from '@scriptorium/access';
import type { Stored, StoreScope } from '@scriptorium/event-sourcing';
import { keyset } from '@scriptorium/platform';
import { knownSpaces } from '../places/index.js';
import type { Cause } from './cause.js';
import { outbox, type OutboxDocument } from './outbox.projection.js';

/** The causes of an event; of a collection those of the spaces in it. */
export async function causesOf(
  access: ServiceAccess,
  store: StoreScope,
  { organization, causes }: Pick<OutboxDocument, 'organization' | 'causes'>,
): Promise<readonly Cause[]> {
  const all: Cause[] = [];
  for (const cause of causes)
    if (cause.kind !== 'collection_removed') all.push(cause);
    else if (organization !== null)
      for (const id of await spacesDeletedWith(access, store, { organization, ...cause }))
        all.push({ kind: 'place_removed', target: { kind: 'space', id } });
  return all;
}

async function spacesDeletedWith(
  access: ServiceAccess,
  store: StoreScope,
  { organization, collection, at }: { organization: string; collection: string; at: string },
): Promise<string[]> {
  const nodes = await access.nodesOf({ store }, organization);
  const deleted = nodes.within(collection).filter((id) => nodes.deletedAt(id) === at);
  return (await store.read(knownSpaces).byIds(deleted)).map(({ _id }) => _id);
}

/** Where a cause counts. `recorded`: the organization in which it was recorded. */
export async function organizationOf(store: StoreScope, cause: Cause, recorded: string | null): Promise<string | null> {
  if ('organization' in cause && cause.organization !== undefined) return cause.organization;
  if (recorded !== null || cause.kind !== 'content_updated') return recorded;
  return (await store.read(knownSpaces).byId(cause.space))?.organization ?? null;
}

/** From a time until another, ISO 8601. */
export interface Period {
  from: string;
  to: string;
}

/** Clocks of services may differ: an event may stand in the log before one that was recorded so much earlier, ms. */
const clocksDifferMs = 60_000;

/** The positions in the log between which everything stands that was recorded in a time, up to what is written. */
export async function positionsOf(
  store: StoreScope,
  { from, to, written }: Period & { written: number },
): Promise<{ after: number; through: number }> {
  const near = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
  const [first, last] = await Promise.all([
    store.read(outbox).findOne({ time: { $gte: near(from, -clocksDifferMs) } }, { sort: { time: 1 } }),
    store.read(outbox).findOne({ time: { $lt: near(to, clocksDifferMs) } }, { sort: { time: -1 } }),
  ]);
  const after = first === null ? written : first.position - 1;
  return { after, through: Math.min(written, last === null ? after : last.position) };
}

/**
 * What has happened that may concern an organization, in the order of the log, behind one event and up to a position.
 * What names no organization may concern any.
 */
export async function causesIn(
  store: StoreScope,
  organization: string,
  asked: Period & { behind: { position: number; id: string }; through: number; limit: number },
): Promise<Stored<OutboxDocument>[]> {
  const { from, to, behind, through, limit } = asked;
  const within = {
    time: { $gte: from, $lt: to },
    position: { $gte: behind.position, $lte: through },
    ...keyset('position', 'asc', [behind.position, behind.id]),
  };
  // One by one, since each has an index in the order of the log.
  const owners = [{ organization }, { organization: null }, { 'causes.organization': organization }];
  const found = await Promise.all(
    owners.map((owner) =>
      store
        .read(outbox)
        .find({ ...owner, ...within })
        .sort({ position: 1, _id: 1 })
        .limit(limit)
        .toArray(),
    ),
  );
  const all = new Map(found.flat().map((doc) => [doc._id, doc]));
  return [...all.values()].sort((a, b) => a.position - b.position || (a._id < b._id ? -1 : 1)).slice(0, limit);
}

/** How much has happened in an organization, up to `most`. */
export function countCauses(
  store: StoreScope,
  organization: string,
  { from, to, most }: Period & { most: number },
): Promise<number> {
  return store.read(outbox).count({ organization, time: { $gte: from, $lt: to } }, most);
}
