import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from '../aggregates/aggregate.js';
import { type AnyEvent } from '../events/events.js';
import { type Decide, type Done } from '../commands/command.js';
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
import { type Clock } from '../shared/time.js';

/** One kind of unique value of a service. */
export interface ReservationKind {
  /** snake_case, unique in the service. */
  readonly kind: string;
  /** What counts as the same value. */
  normalise(value: string): string;
  /** Reads the owner's stream: does it hold the value whose key this is? */
  holds(owner: string, key: string, reading: ReservationReading): Promise<boolean>;
}

/** What a kind of value reads its owners' streams with. */
export interface ReservationReading {
  /** The present state of a stream, read from the log. */
  load: <State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string) => Promise<State>;
  /** See `Reservations.keyOf`. */
  keyOf: (kind: Pick<ReservationKind, 'kind' | 'normalise'>, value: string) => string;
}

/** A kind of value that reads with what it was given. */
export type BoundKind = Pick<ReservationKind, 'kind' | 'normalise'> & {
  holds(owner: string, key: string): Promise<boolean>;
};

export interface Claim {
  readonly value: string;
  readonly owner: string;
  /** The value given up by the same operation, when the owner had another. */
  readonly previous?: string | undefined;
}

/** The reservations of one service. */
export type ReservationAggregate = Aggregate<Reservation, ReservationEvent>;
/** Runs one decision on the reservation of a key. */
export type Step = (
  key: string,
  decide: Decide<Reservation, ReservationEvent>,
) => Promise<Done<Reservation, ReservationEvent>>;

/** One value and who wants it. */
export interface Hold {
  kind: BoundKind;
  key: string;
  wish: Claim;
  step: Step;
}

interface TakeParts {
  clock: Clock;
  load: (aggregate: ReservationAggregate, id: string) => Promise<Reservation>;
}

/** The number of claims with the own one, and whether the owner did not have the value before. */
export interface Taken {
  claims: number;
  isNew: boolean;
}

/** Claims the value for its owner. Throws `already_exists` when somebody else has it. */
export async function take(
  { clock, load }: TakeParts,
  { kind, key, wish, step, aggregate }: Hold & { aggregate: ReservationAggregate },
): Promise<Taken> {
  const { owner } = wish;
  const wanted = { kind: kind.kind, owner, now: clock.now() };
  const act = (asked?: Asked): Promise<Done<Reservation, ReservationEvent>> =>
    step(key, (state) => claim(state, { ...wanted, ...(asked === undefined ? {} : { asked }) }));
  try {
    const done = await act();
    if (done.events.length > 0) return takenBy(done);
    // Nothing to do: the owner has it, if its stream still says so.
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

/** Asks the stream of whoever has the value. */
export async function ask(kind: BoundKind, key: string, state: Reservation): Promise<Asked> {
  const isHeld = state.status !== 'free' && (await kind.holds(state.owner, key));
  return { settled: isHeld ? 'held' : 'not_held', claims: state.claims };
}

/** The number of claims with this one; `undefined` when the value was not confirmed, so that another command is about it. */
export async function putInDoubt({ kind, key, wish: { owner }, step }: Hold): Promise<number | undefined> {
  const { events, state } = await step(key, (now) => reopen(now, { kind: kind.kind, owner }));
  return events.length > 0 ? state.claims : undefined;
}

/** A repeated command writes nothing: its owner may have moved on since, and then keeps neither more nor less than it holds. */
export async function confirmHeld({ kind, key, wish: { owner }, step }: Hold, claims: number): Promise<void> {
  if (!(await kind.holds(owner, key))) return;
  await step(key, (state) => (state.claims === claims ? confirm(state, { kind: kind.kind, owner }) : []));
}

/** Gives back what this call has claimed. */
export async function giveBack({ kind, key, wish: { owner }, step }: Hold, claims: number): Promise<void> {
  await step(key, (state) => (state.claims === claims ? release(state, { kind: kind.kind, owner }) : []));
}

/** Ends the doubt about the previous value; one that another command of its owner is about is left to be settled. */
export async function leave(hold: Hold, doubt: number | undefined): Promise<void> {
  const {
    kind,
    key,
    wish: { owner },
    step,
  } = hold;
  if (await kind.holds(owner, key)) {
    if (doubt !== undefined) await confirmHeld(hold, doubt);
    return;
  }
  await step(key, (state) => {
    const change = state.claims === doubt ? release : reopen;
    return change(state, { kind: kind.kind, owner });
  });
}
