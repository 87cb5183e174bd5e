import { projection } from '../projections/projection.js';
import { reservationEvents } from './reservation.js';

/** An open claim, for the repair. `_id` is the key. */
export interface OpenClaim {
  _id: string;
  kind: string;
  owner: string;
  since: string;
}

/** The claims that are neither confirmed nor released. */
export const openClaims = projection({
  name: 'reservation_open',
  version: 2,
  events: [reservationEvents],
  entities: ['reservation'],
  indexes: [{ key: { since: 1 } }],
  id: (event) => event.entityId,
  evolve: (_doc: Omit<OpenClaim, '_id'> | null, event) =>
    event.type === 'ReservationClaimed'
      ? { kind: event.data.kind, owner: event.data.owner, since: event.meta.time }
      : null,
});
