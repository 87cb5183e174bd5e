import type { ReservationKind } from '@scriptorium/event-sourcing';
import { integration } from './integration.js';

/** Names of integrations: each belongs to one at a time, without regard to case. */
export const integrationNames: ReservationKind = {
  kind: 'integration_name',
  normalise: (name) => name.toLowerCase(),
  async holds(owner, key, { load, keyOf }) {
    const state = await load(integration, owner);
    return state.status === 'published' && keyOf(integrationNames, state.published.name) === key;
  },
};
