import { readable, type ReadModel, type Store } from '@scriptorium/event-sourcing';

/** When a member was last seen: written without an event, so it stands beside the projections, not in one. */
export interface LastSeenDocument {
  organization: string;
  at: string;
}

/** By `memberKey` of the membership. */
export function lastSeen(store: Store): ReadModel<LastSeenDocument> {
  return readable(store.database.collection('op_last_seen'));
}
