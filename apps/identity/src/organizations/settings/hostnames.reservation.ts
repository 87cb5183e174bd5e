import type { ReservationKind } from '@scriptorium/event-sourcing';
import { organization } from './organization.js';

/** Hostnames: each belongs to one organization at a time. */
export const hostnames: ReservationKind = {
  kind: 'hostname',
  normalise: (hostname) => hostname,
  async holds(owner, key, { load, keyOf }) {
    const state = await load(organization, owner);
    return state.status === 'active' && keyOf(hostnames, state.hostname) === key;
  },
};
