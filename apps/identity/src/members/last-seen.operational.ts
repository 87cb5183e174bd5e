import { readable, type ReadModel, type Store } from '@scriptorium/event-sourcing';

/** When a member was last seen: written without an event, so it stands beside the projections, not in one. */
export interface LastSeenDocument {
  organization: string;
  at: string;
}

interface LastSeen {
  /** By `memberKey` of the membership. */
  model: ReadModel<LastSeenDocument>;
  indexed: Promise<unknown> | undefined;
  /** Questions that are put together at the end of this turn of the event loop, by organization. */
  asked: Map<string, Promise<string>>;
}

const known = new WeakMap<Store, LastSeen>();

function ofStore(store: Store): LastSeen {
  const found = known.get(store) ?? { model: readable<LastSeenDocument>(store.database.collection('op_last_seen')), indexed: undefined, asked: new Map() };
  known.set(store, found);
  return found;
}

/** By `memberKey` of the membership. */
export function lastSeen(store: Store): ReadModel<LastSeenDocument> {
  return ofStore(store).model;
}

/**
 * When somebody of the organization was last seen, empty when nobody ever was. No event changes with it: it belongs into
 * the key of every answer that is remembered and shows `lastSeenAt`. Those who ask in one turn of the event loop share a query.
 */
export function latestSeen(store: Store, organization: string): Promise<string> {
  const seen = ofStore(store);
  const shared = seen.asked.get(organization);
  if (shared !== undefined) return shared;
  const answer = new Promise((resolve) => setImmediate(resolve)).then(() => {
    seen.asked.delete(organization);
    return readLatest(seen, organization);
  });
  seen.asked.set(organization, answer);
  return answer;
}

async function readLatest(seen: LastSeen, organization: string): Promise<string> {
  seen.indexed ??= seen.model.raw.createIndexes([{ key: { organization: 1, at: 1, _id: 1 }, name: 'organization_at' }]).catch((error: unknown) => {
    seen.indexed = undefined;
    throw error;
  });
  await seen.indexed;
  return (await seen.model.findOne({ organization }, { sort: { at: -1 }, projection: { at: 1 } }))?.at ?? '';
}
