import { AppError } from '@scriptorium/contracts';
import { z } from 'zod';
import { type Aggregate, defineAggregate } from './aggregate.js';
import { type EventOf, defineEvents } from './events.js';
import { type Metadata } from './metadata.js';

/**
 * A unique value (a subdomain, an address) is a stream of its own, named by a keyed hash of the value, that says who has it.
 * Claimed, then confirmed once the owner's stream says so too, then released. Never deleted.
 */
export const reservationEvents = defineEvents({
  ReservationClaimed: z.object({ kind: z.string(), owner: z.string() }),
  ReservationConfirmed: z.object({ kind: z.string(), owner: z.string() }),
  ReservationReleased: z.object({ kind: z.string(), owner: z.string() }),
});
export type ReservationEvent = EventOf<typeof reservationEvents>;

export type Reservation =
  | { status: 'free' }
  | { status: 'claimed'; owner: string; since: string }
  | { status: 'confirmed'; owner: string };

const free: Reservation = { status: 'free' };

function evolve(state: Reservation, event: ReservationEvent, meta: Pick<Metadata, 'time'>): Reservation {
  switch (event.type) {
    case 'ReservationClaimed':
      return { status: 'claimed', owner: event.data.owner, since: meta.time };
    case 'ReservationConfirmed':
      return { status: 'confirmed', owner: event.data.owner };
    case 'ReservationReleased':
      return { status: 'free' };
    default:
      event satisfies never;
      return state;
  }
}

/** The reservations of one service. */
export function reservationOf(service: string): Aggregate<Reservation, ReservationEvent> {
  return defineAggregate({ service, entity: 'reservation', events: reservationEvents, initial: free, evolve });
}

/** A claim that was not confirmed within this time is settled by asking the owner's stream. */
export const claimLifeMs = 30_000;

/** What became of an old claim, as the owner's stream tells. */
export type Settlement = 'held' | 'not_held';

interface Wish {
  kind: string;
  owner: string;
  /** Epoch ms. */
  now: number;
  /** About the claim of somebody else, when it had to be asked for. */
  settled?: Settlement;
}

/** Whether somebody else's claim has been open for so long that its owner must be asked. */
export function isOverdue(state: Reservation, now: number): boolean {
  return state.status === 'claimed' && now - Date.parse(state.since) >= claimLifeMs;
}

/** Takes a free value; `[]` when the owner has it already. Refuses with `already_exists`. */
export function claim(state: Reservation, { kind, owner, now, settled }: Wish): ReservationEvent[] {
  if (state.status === 'free') return [{ type: 'ReservationClaimed', data: { kind, owner } }];
  if (state.owner === owner) return [];
  if (isOverdue(state, now) && settled === 'not_held') {
    return [
      { type: 'ReservationReleased', data: { kind, owner: state.owner } },
      { type: 'ReservationClaimed', data: { kind, owner } },
    ];
  }
  throw new AppError('already_exists');
}

/** The owner's stream holds the value. */
export function confirm(state: Reservation, { kind, owner }: Pick<Wish, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status === 'claimed' && state.owner === owner ? [{ type: 'ReservationConfirmed', data: { kind, owner } }] : [];
}

/** The owner does not hold the value any more, or never came to. */
export function release(state: Reservation, { kind, owner }: Pick<Wish, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status !== 'free' && state.owner === owner ? [{ type: 'ReservationReleased', data: { kind, owner } }] : [];
}

/** An overdue claim becomes what the owner's stream says. */
export function settle(state: Reservation, { kind, owner, now, settled }: Wish & { settled: Settlement }): ReservationEvent[] {
  if (state.status !== 'claimed' || state.owner !== owner || !isOverdue(state, now)) return [];
  return settled === 'held' ? confirm(state, { kind, owner }) : release(state, { kind, owner });
}
