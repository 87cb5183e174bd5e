import { createHmac } from 'node:crypto';
import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from './aggregate.js';
import { type Decide, type Done } from './handle.js';
import { type CommandContext } from './metadata.js';
import { type Logger, describe } from './observe.js';
import { projection } from './projection.js';
import { type Asked, type Reservation, type ReservationEvent, claim, confirm, isDoubtful, release, reopen, reservationEvents, reservationOf, settle } from './reservation.js';
import { type Clock } from './time.js';

/** One kind of unique value of a service. */
export interface ReservationKind {
  /** snake_case, unique in the service. */
  readonly kind: string;
  /** What counts as the same value. */
  normalise(value: string): string;
  /** Reads the owner's stream: does it hold the value whose key this is? See `Reservations.keyOf`. */
  holds(owner: string, key: string): Promise<boolean>;
}

export interface Claim {
  readonly value: string;
  readonly owner: string;
  /** The value given up by the same operation, when the owner had another. */
  readonly previous?: string | undefined;
  readonly context: CommandContext;
}

export interface Reservations {
  /** HMAC of kind and normalised value: the only form in which a value is stored. */
  keyOf(kind: ReservationKind, value: string): string;
  /**
   * Claims `value`, puts `previous` in doubt, runs `append` (which writes to the owner's stream), confirms what the owner then
   * holds and gives back what it does not. When `append` is refused everything is as before; when its outcome is unknown, or
   * the process dies, the claims are settled later. `append` must refuse when the owner has moved on since it was decided on
   * `previous`. Throws `already_exists` when somebody else has the value.
   */
  reserve<T>(kind: ReservationKind, wish: Claim, append: () => Promise<T>): Promise<T>;
  /** Gives a value back, after the owner's stream has given it up. */
  release(kind: ReservationKind, wish: Omit<Claim, 'previous'>): Promise<void>;
  /** Settles one claim that was left open; for the repair run. */
  repair(open: OpenClaim): Promise<void>;
}

export interface ReservationParts {
  service: string;
  /** Secret of the HMAC; never rotated, see `docs/operations.md`. */
  secret: Uint8Array;
  kinds: readonly ReservationKind[];
  clock: Clock;
  logger: Logger;
  handle<State, E extends { type: string; data: unknown }>(aggregate: Aggregate<State, E>, id: string, context: CommandContext, decide: Decide<State, E>): Promise<Done<State, E>>;
  load: (aggregate: ReservationAggregate, id: string) => Promise<Reservation>;
}

/** An unconfirmed claim, as the repair run sees it. `_id` is the key. */
export interface OpenClaim {
  _id: string;
  kind: string;
  owner: string;
  since: string;
}

/** The claims that are neither confirmed nor released. */
export const openClaims = projection({
  name: 'reservation_open',
  version: 1,
  events: [reservationEvents],
  entities: ['reservation'],
  indexes: [{ key: { since: 1 } }],
  id: (event) => event.entityId,
  evolve: (_doc: Omit<OpenClaim, '_id'> | null, event) =>
    event.type === 'ReservationClaimed' ? { kind: event.data.kind, owner: event.data.owner, since: event.meta.time } : null,
});

/** Reservations of one service; see `Store.reservations`. */
export function createReservations(parts: ReservationParts): Reservations {
  const aggregate = reservationOf(parts.service);
  const keyOf = (kind: ReservationKind, value: string): string => createHmac('sha256', parts.secret).update(`${kind.kind}\0${kind.normalise(value)}`).digest('hex');
  const step: Step = (key, context, decide) => parts.handle(aggregate, key, withoutKey(context), decide);
  return {
    keyOf,
    async reserve(kind, wish, append) {
      const { value, previous } = wish;
      const key = keyOf(kind, value);
      const before = previous === undefined ? key : keyOf(kind, previous);
      const taken = await take(parts, { kind, key, wish, step, aggregate });
      const left: Hold = { kind, key: before, wish, step };
      let doubt: number | undefined;
      try {
        if (before !== key) doubt = await putInDoubt(left);
        const result = await append();
        await attempt(parts.logger, () => confirmHeld({ kind, key, wish, step }, taken.claims));
        if (before !== key) await attempt(parts.logger, () => leave(left, doubt));
        return result;
      } catch (error) {
        if (isRefusal(error)) {
          // A value that the owner had before this call stays the owner's.
          if (taken.isNew) await attempt(parts.logger, () => giveBack({ kind, key, wish, step }, taken.claims));
          if (doubt !== undefined) await attempt(parts.logger, () => leave(left, doubt));
        }
        throw error;
      }
    },
    release: async (kind, { value, owner, context }) => void (await step(keyOf(kind, value), context, (state) => release(state, { kind: kind.kind, owner }))),
    repair: (open) => repair(parts, aggregate, open),
  };
}

/**
 * The steps carry no idempotency key: each is nothing to do when it has been done, and one that was undone meanwhile must
 * be done anew.
 */
function withoutKey(context: CommandContext): CommandContext {
  return { ...context, idem: undefined };
}

type ReservationAggregate = Aggregate<Reservation, ReservationEvent>;
type Step = (key: string, context: CommandContext, decide: Decide<Reservation, ReservationEvent>) => Promise<Done<Reservation, ReservationEvent>>;

/** One value and who wants it. */
interface Hold {
  kind: ReservationKind;
  key: string;
  wish: Claim;
  step: Step;
}

/** The number of claims with the own one, and whether the owner did not have the value before. */
interface Taken {
  claims: number;
  isNew: boolean;
}

async function take({ clock, load }: ReservationParts, { kind, key, wish, step, aggregate }: Hold & { aggregate: ReservationAggregate }): Promise<Taken> {
  const { owner, context } = wish;
  const wanted = { kind: kind.kind, owner, now: clock.now() };
  let isNew = false;
  const act = async (asked?: Asked): Promise<Done<Reservation, ReservationEvent>> =>
    step(key, context, (state) => {
      isNew = state.status === 'free' || state.owner !== owner;
      return claim(state, { ...wanted, ...(asked === undefined ? {} : { asked }) });
    });
  try {
    const { events, state } = await act();
    // Nothing to do: the owner has it, if its stream still says so.
    const asked = events.length > 0 ? undefined : await ask(kind, key, state);
    return { claims: asked?.settled === 'not_held' ? (await act(asked)).state.claims : state.claims, isNew };
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'already_exists') throw error;
    const seen = await load(aggregate, key);
    if (!isDoubtful(seen, wanted)) throw error;
    const asked = await ask(kind, key, seen);
    if (seen.status === 'claimed' && asked.settled === 'not_held') return { claims: (await act(asked)).state.claims, isNew };
    await step(key, context, (state) => settle(state, { ...wanted, owner: seen.owner, asked }));
    throw error;
  }
}

async function ask(kind: ReservationKind, key: string, state: Reservation): Promise<Asked> {
  const isHeld = state.status !== 'free' && (await kind.holds(state.owner, key));
  return { settled: isHeld ? 'held' : 'not_held', claims: state.claims };
}

/** The number of claims with this one; `undefined` when the value was not confirmed, so that another command is about it. */
async function putInDoubt({ kind, key, wish: { owner, context }, step }: Hold): Promise<number | undefined> {
  const { events, state } = await step(key, context, (now) => reopen(now, { kind: kind.kind, owner }));
  return events.length > 0 ? state.claims : undefined;
}

/** A repeated command writes nothing: its owner may have moved on since, and then keeps neither more nor less than it holds. */
async function confirmHeld({ kind, key, wish: { owner, context }, step }: Hold, claims: number): Promise<void> {
  if (!(await kind.holds(owner, key))) return;
  await step(key, context, (state) => (state.claims === claims ? confirm(state, { kind: kind.kind, owner }) : []));
}

async function giveBack({ kind, key, wish: { owner, context }, step }: Hold, claims: number): Promise<void> {
  await step(key, context, (state) => (state.claims === claims ? release(state, { kind: kind.kind, owner }) : []));
}

/** Ends the doubt about the previous value; one that another command of its owner is about is left to be settled. */
async function leave(hold: Hold, doubt: number | undefined): Promise<void> {
  const { kind, key, wish: { owner, context }, step } = hold;
  if (await kind.holds(owner, key)) {
    if (doubt !== undefined) await confirmHeld(hold, doubt);
    return;
  }
  await step(key, context, (state) => {
    const change = state.claims === doubt ? release : reopen;
    return change(state, { kind: kind.kind, owner });
  });
}

async function repair(parts: ReservationParts, aggregate: ReservationAggregate, { _id: key, kind: name }: OpenClaim): Promise<void> {
  const kind = parts.kinds.find((candidate) => candidate.kind === name);
  const seen = await parts.load(aggregate, key);
  if (kind === undefined || seen.status === 'free') return;
  const asked = await ask(kind, key, seen);
  const context: CommandContext = { actor: { kind: 'system', id: 'reservations' }, organization: null, operation: 'settleReservation', correlation: key };
  await parts.handle(aggregate, key, context, (state) => settle(state, { kind: name, owner: seen.owner, now: parts.clock.now(), asked }));
}

/** A refusal says that nothing was written; an absent server says nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.reason !== 'unavailable';
}

/** What follows the owner's own append must not turn its success into an error: the repair run makes up for it. */
async function attempt(logger: Logger, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.warn({ error: describe(error) }, 'a reservation is left to the repair run');
  }
}
