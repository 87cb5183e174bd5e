import type { ReservationKind } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { organization } from './organization.js';

/** Hostnames: each belongs to one organization at a time. */
export function hostnames(context: ServiceContext): ReservationKind {
  const kind: ReservationKind = {
    kind: 'hostname',
    normalise: (hostname) => hostname,
    async holds(owner, key) {
      const state = await context.store.load(organization, owner);
      return state.status === 'active' && context.store.reservations.keyOf(kind, state.hostname) === key;
    },
  };
  return kind;
}
