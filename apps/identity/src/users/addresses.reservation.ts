import type { ReservationKind } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { user } from './user.js';

/** Verified e-mail addresses: each belongs to one user at a time. */
export function addresses(context: ServiceContext): ReservationKind {
  const kind: ReservationKind = {
    kind: 'email',
    normalise: (email) => email.toLowerCase(),
    async holds(owner, key) {
      const state = await context.store.load(user, owner);
      return state.status === 'active' && state.emailVerified && context.store.reservations.keyOf(kind, state.email) === key;
    },
  };
  return kind;
}
