import type { Store } from '@scriptorium/event-sourcing';
import type { Collection } from 'mongodb';

/** When a member was last seen: written without an event, so it stands beside the projections, not in one. */
export interface LastSeenDocument {
  /** `memberKey` of the membership. */
  _id: string;
  organization: string;
  at: string;
}

export function lastSeen(store: Store): Collection<LastSeenDocument> {
  return store.database.collection<LastSeenDocument>('op_last_seen');
}
