import type { ReservationKind } from '@scriptorium/event-sourcing';
import { user } from './user.js';

/** Verified e-mail addresses: each belongs to one user at a time. */
export const addresses: ReservationKind = {
  kind: 'email',
  normalise: (email) => email.toLowerCase(),
  async holds(owner, key, { load, keyOf }) {
    const state = await load(user, owner);
    return state.status === 'active' && state.emailVerified && keyOf(addresses, state.email) === key;
  },
};
