import { AppError } from '@scriptorium/contracts';
import { z } from 'zod';
import { type Aggregate, defineAggregate } from '../aggregates/aggregate.js';
import { type EventOf, defineEvents, unchanged } from '../events/events.js';
import { type Metadata } from '../events/metadata.js';

/**
 * A unique value (a subdomain, an address) is a stream of its own, named by a keyed hash of the value, that says who has it.
 * Claimed, then confirmed once the owner's stream says so too, then released. Claimed anew by its owner when that becomes
 * doubtful: while the owner moves on to another value, and when its stream turns out not to hold the value. So whatever is
 * in doubt is an open claim, and every open claim is settled. Never deleted.
 */
export const reservationEvents = defineEvents({
  ReservationClaimed: z.object({ kind: z.string(), owner: z.string() }),
  ReservationConfirmed: z.object({ kind: z.string(), owner: z.string() }),
  ReservationReleased: z.object({ kind: z.string(), owner: z.string() }),
});
export type ReservationEvent = EventOf<typeof reservationEvents>;

/** `claims` counts the claims so far: who has seen another number does not know the present one. */
export type Reservation = { claims: number } & (
  | { status: 'free' }
  /** `isNew`: the owner did not have the value before this claim. */
  | { status: 'claimed'; owner: string; since: string; isNew: boolean }
  | { status: 'confirmed'; owner: string }
);

const free: Reservation = { status: 'free', claims: 0 };

function evolve(before: Reservation, event: ReservationEvent, meta: Pick<Metadata, 'time'>): Reservation {
  const { owner } = event.data;
  const { claims } = before;
  switch (event.type) {
    case 'ReservationClaimed':
      return {
        status: 'claimed',
        owner,
        since: meta.time,
        isNew: before.status === 'free' || before.owner !== owner,
        claims: claims + 1,
      };
    case 'ReservationConfirmed':
      return { status: 'confirmed', owner, claims };
    case 'ReservationReleased':
      return { status: 'free', claims };
    default:
      return unchanged({ status: 'free', claims }, event);
  }
}

/** The reservations of one service. */
export function reservationOf(service: string): Aggregate<Reservation, ReservationEvent> {
  return defineAggregate({ service, entity: 'reservation', events: reservationEvents, initial: free, evolve });
}

/** A claim that was not confirmed within this time is settled by asking the owner's stream; longer than any command lasts. */
export const claimLifeMs = 30_000;

/** Whether the stream of whoever has a value says so too. */
export type Settlement = 'held' | 'not_held';

interface Wish {
  kind: string;
  owner: string;
  /** Epoch ms. */
  now: number;
  /** About whoever had the value at that many claims, when it had to be asked for. */
  asked?: Asked;
}

export interface Asked {
  settled: Settlement;
  claims: number;
}

/** Whether a claim has been open for so long that its owner must be asked. */
function isOverdue(state: Reservation, now: number): boolean {
  return state.status === 'claimed' && now - Date.parse(state.since) >= claimLifeMs;
}

/** Whether the stream of whoever has it has to be asked before somebody else's wish can be refused. */
export function isDoubtful(
  state: Reservation,
  { now }: Pick<Wish, 'now'>,
): state is Exclude<Reservation, { status: 'free' }> {
  return state.status === 'confirmed' || isOverdue(state, now);
}

/**
 * Takes a free value, or one whose claim is overdue and not held. `[]` when the owner has it and holds it; an owner that has
 * it without holding it claims it anew, which gives it the full time again. Refuses with `already_exists`.
 */
export function claim(state: Reservation, { kind, owner, now, asked }: Wish): ReservationEvent[] {
  const claimed: ReservationEvent = { type: 'ReservationClaimed', data: { kind, owner } };
  if (state.status === 'free') return [claimed];
  // What was asked about an earlier claim says nothing about this one.
  const settled = asked?.claims === state.claims ? asked.settled : 'held';
  if (state.owner === owner) return state.status === 'confirmed' && settled === 'held' ? [] : [claimed];
  if (isOverdue(state, now) && settled === 'not_held')
    return [{ type: 'ReservationReleased', data: { kind, owner: state.owner } }, claimed];
  throw new AppError('already_exists');
}

/** Its owner moves on, or does not hold it any more: a confirmed value is an open claim again. */
export function reopen(state: Reservation, { kind, owner }: Pick<Wish, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status === 'confirmed' && state.owner === owner
    ? [{ type: 'ReservationClaimed', data: { kind, owner } }]
    : [];
}

/** The owner's stream holds the value. */
export function confirm(state: Reservation, { kind, owner }: Pick<Wish, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status === 'claimed' && state.owner === owner
    ? [{ type: 'ReservationConfirmed', data: { kind, owner } }]
    : [];
}

/** The owner does not hold the value any more, or never came to. */
export function release(state: Reservation, { kind, owner }: Pick<Wish, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status !== 'free' && state.owner === owner
    ? [{ type: 'ReservationReleased', data: { kind, owner } }]
    : [];
}

/** An overdue claim becomes what the owner's stream says; a confirmed value that is not held becomes an open claim. */
export function settle(state: Reservation, { kind, owner, now, asked }: Wish & { asked: Asked }): ReservationEvent[] {
  if (state.status === 'free' || state.owner !== owner || state.claims !== asked.claims) return [];
  const { settled } = asked;
  if (state.status === 'confirmed') return settled === 'held' ? [] : reopen(state, { kind, owner });
  if (!isOverdue(state, now)) return [];
  return settled === 'held' ? confirm(state, { kind, owner }) : release(state, { kind, owner });
}
