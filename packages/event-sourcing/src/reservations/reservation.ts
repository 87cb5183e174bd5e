import { AppError } from '@scriptorium/contracts';
import { z } from 'zod';
import { type Aggregate, defineAggregate } from '../aggregates/aggregate.js';
import { type EventOf, defineEvents, unchanged, type Metadata } from '../events/events.js';

/**
 * A unique value (a subdomain, an address) has its own stream, named by a keyed hash of the value, which records its
 * owner. The value is claimed, confirmed when the owner's stream shows it too, and later released.
 * Its owner claims it again when it is not certain that the owner keeps it: while the owner changes to another value,
 * and when the owner's stream turns out not to show the value. So every uncertain value is an open claim, and every
 * open claim is settled. The stream is never deleted.
 */
export const reservationEvents = defineEvents({
  ReservationClaimed: z.object({ kind: z.string(), owner: z.string() }),
  ReservationConfirmed: z.object({ kind: z.string(), owner: z.string() }),
  ReservationReleased: z.object({ kind: z.string(), owner: z.string() }),
});
export type ReservationEvent = EventOf<typeof reservationEvents>;

/** `claims` counts the claims so far. Information about another number of claims is out of date. */
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

/**
 * When a claim is not confirmed within this time, the owner's stream is asked. The time is longer than any command
 * takes.
 */
export const claimLifeMs = 30_000;

/** Whether the stream of the present owner shows the value too. */
export type Settlement = 'held' | 'not_held';

interface ClaimInput {
  kind: string;
  owner: string;
  /** Milliseconds since 1970. */
  now: number;
  /** What the owner's stream showed at a given number of claims, if it was asked. */
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

/** Whether the stream of the present owner has to be asked before another claimant can be refused. */
export function isDoubtful(
  state: Reservation,
  { now }: Pick<ClaimInput, 'now'>,
): state is Exclude<Reservation, { status: 'free' }> {
  return state.status === 'confirmed' || isOverdue(state, now);
}

/**
 * Claims a free value, or one whose claim is overdue and whose owner does not have it. No event when the owner already
 * has it. An owner whose stream does not show the value claims it again, which gives it the full time.
 * @throws AppError `already_exists` when another owner has it
 */
export function claim(state: Reservation, { kind, owner, now, asked }: ClaimInput): ReservationEvent[] {
  const claimed: ReservationEvent = { type: 'ReservationClaimed', data: { kind, owner } };
  if (state.status === 'free') return [claimed];
  // The answer is about an earlier claim and does not apply to this one.
  const settled = asked?.claims === state.claims ? asked.settled : 'held';
  if (state.owner === owner) return state.status === 'confirmed' && settled === 'held' ? [] : [claimed];
  if (isOverdue(state, now) && settled === 'not_held')
    return [{ type: 'ReservationReleased', data: { kind, owner: state.owner } }, claimed];
  throw new AppError('already_exists');
}

/** Makes a confirmed value an open claim again, because its owner changes to another value or no longer has it. */
export function reopen(state: Reservation, { kind, owner }: Pick<ClaimInput, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status === 'confirmed' && state.owner === owner
    ? [{ type: 'ReservationClaimed', data: { kind, owner } }]
    : [];
}

/** Confirms the value: the owner's stream shows it. */
export function confirm(state: Reservation, { kind, owner }: Pick<ClaimInput, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status === 'claimed' && state.owner === owner
    ? [{ type: 'ReservationConfirmed', data: { kind, owner } }]
    : [];
}

/** Releases the value: the owner does not have it any more, or never got it. */
export function release(state: Reservation, { kind, owner }: Pick<ClaimInput, 'kind' | 'owner'>): ReservationEvent[] {
  return state.status !== 'free' && state.owner === owner
    ? [{ type: 'ReservationReleased', data: { kind, owner } }]
    : [];
}

/**
 * Settles an overdue claim by what the owner's stream shows. A confirmed value that the owner does not have becomes an
 * open claim.
 */
export function settle(
  state: Reservation,
  { kind, owner, now, asked }: ClaimInput & { asked: Asked },
): ReservationEvent[] {
  if (state.status === 'free' || state.owner !== owner || state.claims !== asked.claims) return [];
  const { settled } = asked;
  if (state.status === 'confirmed') return settled === 'held' ? [] : reopen(state, { kind, owner });
  if (!isOverdue(state, now)) return [];
  return settled === 'held' ? confirm(state, { kind, owner }) : release(state, { kind, owner });
}
