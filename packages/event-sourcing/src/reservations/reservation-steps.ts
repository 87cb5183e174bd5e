import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from '../aggregates/aggregate.js';
import { type Decide, type Done } from '../commands/command.js';
import { type Claim, type ReservationKind } from '../commands/reservation-request.js';
import {
  type Asked,
  type Reservation,
  type ReservationEvent,
  claim,
  confirm,
  isDoubtful,
  release,
  reopen,
  settle,
} from './reservation.js';
import { type Clock } from '../process/time.js';

/** A kind of value whose `holds` has its `reading`. */
export type BoundKind = Pick<ReservationKind, 'kind' | 'normalise'> & {
  holds(owner: string, key: string): Promise<boolean>;
};

/** The reservations of one service. */
export type ReservationAggregate = Aggregate<Reservation, ReservationEvent>;
/** Carries out one decision on the reservation of a key. */
export type Step = (
  key: string,
  decide: Decide<Reservation, ReservationEvent>,
) => Promise<Done<Reservation, ReservationEvent>>;

/** A value and the claim for it. */
export interface WantedValue {
  kind: BoundKind;
  key: string;
  requested: Claim;
  step: Step;
}

interface TakeParts {
  clock: Clock;
  load: (aggregate: ReservationAggregate, id: string) => Promise<Reservation>;
}

/** The number of claims including this one, and whether the owner did not have the value before. */
export interface Taken {
  claims: number;
  isNew: boolean;
}

/**
 * Claims the value for its owner.
 * @throws AppError `already_exists` when another owner has it
 */
export async function take(
  { clock, load }: TakeParts,
  { kind, key, requested, step, aggregate }: WantedValue & { aggregate: ReservationAggregate },
): Promise<Taken> {
  const { owner } = requested;
  const wanted = { kind: kind.kind, owner, now: clock.now() };
  const act = (asked?: Asked): Promise<Done<Reservation, ReservationEvent>> =>
    step(key, (state) => claim(state, { ...wanted, ...(asked === undefined ? {} : { asked }) }));
  try {
    const done = await act();
    if (done.events.length > 0) return takenBy(done);
    // No event: the owner has the value, provided that its stream shows it too.
    const asked = await ask(kind, key, done.state);
    return asked.settled === 'held' ? { claims: done.state.claims, isNew: false } : takenBy(await act(asked));
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'already_exists') throw error;
    const seen = await load(aggregate, key);
    if (!isDoubtful(seen, wanted)) throw error;
    const asked = await ask(kind, key, seen);
    if (seen.status === 'claimed' && asked.settled === 'not_held') return takenBy(await act(asked));
    await step(key, (state) => settle(state, { ...wanted, owner: seen.owner, asked }));
    throw error;
  }
}

function takenBy({ state, events }: Done<Reservation, ReservationEvent>): Taken {
  return { claims: state.claims, isNew: events.length > 0 && state.status === 'claimed' && state.isNew };
}

/** Asks the stream of the present owner. */
export async function ask(kind: BoundKind, key: string, state: Reservation): Promise<Asked> {
  const isHeld = state.status !== 'free' && (await kind.holds(state.owner, key));
  return { settled: isHeld ? 'held' : 'not_held', claims: state.claims };
}

/**
 * Makes the confirmed value an open claim. Returns the number of claims including it; `undefined` if the value was
 * not confirmed, since another command is working on it.
 */
export async function reopenClaim({ kind, key, requested: { owner }, step }: WantedValue): Promise<number | undefined> {
  const { events, state } = await step(key, (now) => reopen(now, { kind: kind.kind, owner }));
  return events.length > 0 ? state.claims : undefined;
}

/**
 * Confirms the value if the owner's stream shows it. A repeated command writes nothing there, and its owner may have
 * changed to another value since.
 */
export async function confirmHeld(
  { kind, key, requested: { owner }, step }: WantedValue,
  claims: number,
): Promise<void> {
  if (!(await kind.holds(owner, key))) return;
  await step(key, (state) => (state.claims === claims ? confirm(state, { kind: kind.kind, owner }) : []));
}

/** Releases what this call has claimed. */
export async function releaseClaim(
  { kind, key, requested: { owner }, step }: WantedValue,
  claims: number,
): Promise<void> {
  await step(key, (state) => (state.claims === claims ? release(state, { kind: kind.kind, owner }) : []));
}

/** Settles the claim of the previous value, unless another command of its owner is working on it. */
export async function settlePrevious(wantedValue: WantedValue, reopened: number | undefined): Promise<void> {
  const {
    kind,
    key,
    requested: { owner },
    step,
  } = wantedValue;
  if (await kind.holds(owner, key)) {
    if (reopened !== undefined) await confirmHeld(wantedValue, reopened);
    return;
  }
  await step(key, (state) => {
    const change = state.claims === reopened ? release : reopen;
    return change(state, { kind: kind.kind, owner });
  });
}
