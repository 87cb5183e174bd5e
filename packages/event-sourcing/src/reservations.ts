import { createHmac } from 'node:crypto';
import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from './aggregate.js';
import { type Decide, type Done } from './handle.js';
import { type CommandContext } from './metadata.js';
import { type Logger, describe } from './observe.js';
import { projection } from './projection.js';
import { type Reservation, type ReservationEvent, type Settlement, claim, confirm, isOverdue, release, reservationEvents, reservationOf, settle } from './reservation.js';
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
   * Claims `value`, runs `append` (which writes it to the owner's stream) and confirms what the owner then holds; when `append`
   * is refused the value is released, when its outcome is unknown the claim is settled later. Throws `already_exists` when somebody else has it.
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
  load(aggregate: Aggregate<Reservation, ReservationEvent>, id: string): Promise<Reservation>;
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
  const act = (key: string, context: CommandContext, decide: Decide<Reservation, ReservationEvent>) => parts.handle(aggregate, key, withoutKey(context), decide);
  const giveBack = (key: string, kind: string, { owner, context }: Omit<Claim, 'previous'>) => act(key, context, (state) => release(state, { kind, owner }));
  return {
    keyOf,
    async reserve(kind, wish, append) {
      const { owner, context, value, previous } = wish;
      const key = keyOf(kind, value);
      const isNew = await take(parts, aggregate, kind, key, wish);
      const result = await append().catch(async (error: unknown) => {
        // A value that the owner had before this call stays the owner's.
        if (isNew && isRefusal(error)) await attempt(parts.logger, () => giveBack(key, kind.kind, wish));
        throw error;
      });
      // A repeated command writes nothing: its owner may have moved on since, and then keeps neither more nor less than it holds.
      await attempt(parts.logger, async () => {
        if (await kind.holds(owner, key)) await act(key, context, (state) => confirm(state, { kind: kind.kind, owner }));
      });
      const before = previous === undefined ? key : keyOf(kind, previous);
      if (before !== key) {
        await attempt(parts.logger, async () => {
          if (!(await kind.holds(owner, before))) await giveBack(before, kind.kind, wish);
        });
      }
      return result;
    },
    release: async (kind, wish) => void (await giveBack(keyOf(kind, wish.value), kind.kind, wish)),
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

/** True when the value was free before. */
async function take(parts: ReservationParts, aggregate: Aggregate<Reservation, ReservationEvent>, kind: ReservationKind, key: string, { owner, context }: Claim): Promise<boolean> {
  const wish = { kind: kind.kind, owner, now: parts.clock.now() };
  const act = (decide: Decide<Reservation, ReservationEvent>) => parts.handle(aggregate, key, withoutKey(context), decide);
  try {
    return (await act((state) => claim(state, wish))).events.length > 0;
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'already_exists') throw error;
    const state = await parts.load(aggregate, key);
    if (state.status !== 'claimed' || !isOverdue(state, wish.now)) throw error;
    const other = state.owner;
    const settled = await settlementOf(kind, other, key);
    if (settled === 'held') {
      await act((now) => settle(now, { ...wish, owner: other, settled }));
      throw error;
    }
    // What was asked about one owner's claim says nothing about a claim that came in between.
    await act((now) => claim(now, { ...wish, settled: now.status === 'claimed' && now.owner === other ? settled : 'held' }));
    return true;
  }
}

async function settlementOf(kind: ReservationKind, owner: string, key: string): Promise<Settlement> {
  return (await kind.holds(owner, key)) ? 'held' : 'not_held';
}

async function repair(parts: ReservationParts, aggregate: Aggregate<Reservation, ReservationEvent>, { _id: key, kind: name, owner }: OpenClaim): Promise<void> {
  const kind = parts.kinds.find((candidate) => candidate.kind === name);
  if (kind === undefined) return;
  const settled = await settlementOf(kind, owner, key);
  const context: CommandContext = { actor: { kind: 'system', id: 'reservations' }, organization: null, operation: 'settleReservation', correlation: key };
  await parts.handle(aggregate, key, context, (state) => settle(state, { kind: name, owner, now: parts.clock.now(), settled }));
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
