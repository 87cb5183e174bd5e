import { createHmac } from 'node:crypto';
import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from './aggregate.js';
import { type Decide, type Done } from './handle.js';
import { type CommandContext } from './metadata.js';
import { type Logger, describe } from './observe.js';
import { type OpenClaim } from './open-claims.js';
import { type Reservation, release, reservationOf, settle } from './reservation.js';
import { type Claim, type Hold, type ReservationAggregate, type ReservationKind, type Step, ask, confirmHeld, giveBack, leave, putInDoubt, take } from './reservation-steps.js';
import { type Clock } from './time.js';

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
  /**
   * Runs `append`, by which the owner's stream gives the value up for good, and gives the value back. What a death in between
   * leaves is an open claim, which is settled later.
   */
  giveUp<T>(kind: ReservationKind, wish: Omit<Claim, 'previous'>, append: () => Promise<T>): Promise<T>;
  /** Gives a value back, after the owner's stream has given it up. */
  release(kind: ReservationKind, wish: Omit<Claim, 'previous'>): Promise<void>;
  /** Settles one claim that was left open; for the repair run. One of a kind that nobody declares is left as it is, and told of once. */
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

/** Reservations of one service; see `Store.reservations`. */
export function createReservations(parts: ReservationParts): Reservations {
  const aggregate = reservationOf(parts.service);
  const keyOf = (kind: ReservationKind, value: string): string => createHmac('sha256', parts.secret).update(`${kind.kind}\0${kind.normalise(value)}`).digest('hex');
  const unknown = new Set<string>();
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
    async giveUp(kind, wish, append) {
      const held: Hold = { kind, key: keyOf(kind, wish.value), wish, step };
      const doubt = await putInDoubt(held);
      const result = await append();
      await attempt(parts.logger, () => leave(held, doubt));
      return result;
    },
    release: async (kind, { value, owner, context }) => void (await step(keyOf(kind, value), context, (state) => release(state, { kind: kind.kind, owner }))),
    repair: (open) => repair(parts, aggregate, open, unknown),
  };
}

/**
 * The steps carry no idempotency key: each is nothing to do when it has been done, and one that was undone meanwhile must
 * be done anew.
 */
function withoutKey(context: CommandContext): CommandContext {
  return { ...context, idem: undefined };
}

async function repair(parts: ReservationParts, aggregate: ReservationAggregate, { _id: key, kind: name }: OpenClaim, unknown: Set<string>): Promise<void> {
  const kind = parts.kinds.find((candidate) => candidate.kind === name);
  if (kind === undefined) {
    if (!unknown.has(name)) parts.logger.warn({ kind: name }, 'claims of a kind that is not declared cannot be settled');
    unknown.add(name);
    return;
  }
  const seen = await parts.load(aggregate, key);
  if (seen.status === 'free') return;
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
