import { createHmac } from 'node:crypto';
import { AppError } from '@scriptorium/contracts';
import {
  type ReservationKind,
  type ReservationReading,
  type ScopeReservations,
} from '../commands/reservation-request.js';
import { type StoreScope } from '../commands/store-scope.js';
import { type Logger, describe } from '../process/observe.js';
import { type OpenClaim } from './open-claims.js';
import { release, reservationOf, settle } from './reservation.js';
import {
  type BoundKind,
  type WantedValue,
  type ReservationAggregate,
  type Step,
  ask,
  confirmHeld,
  releaseClaim,
  settlePrevious,
  reopenClaim,
  take,
} from './reservation-steps.js';
import { type Clock } from '../process/time.js';

export interface Reservations extends ScopeReservations<StoreScope> {
  /** HMAC of kind and normalised value. The value is stored in no other form. */
  keyOf(kind: Pick<ReservationKind, 'kind' | 'normalise'>, value: string): string;
  /**
   * Settles one open claim, for the repair. A claim of a kind that is not declared is not changed, and is logged once.
   */
  repair(open: OpenClaim): Promise<void>;
}

export interface ReservationParts {
  service: string;
  /** The secret key of the HMAC. It is never rotated, see `docs/operations.md`. */
  secret: Uint8Array;
  kinds: readonly ReservationKind[];
  clock: Clock;
  logger: Logger;
  /** The scope in which open claims are settled. */
  repairScope: (correlation: string) => StoreScope;
  load: ReservationReading['load'];
}

/** The reservations of one service; see `Store.reservations`. */
export function createReservations(parts: ReservationParts): Reservations {
  const aggregate = reservationOf(parts.service);
  const keyOf: Reservations['keyOf'] = (kind, value) =>
    createHmac('sha256', parts.secret)
      .update(`${kind.kind}\0${kind.normalise(value)}`)
      .digest('hex');
  const unknown = new Set<string>();
  const bind = (kind: ReservationKind): BoundKind => ({
    kind: kind.kind,
    normalise: (value) => kind.normalise(value),
    holds: (owner, key) => kind.holds(owner, key, { load: (...stream) => parts.load(...stream), keyOf }),
  });
  // Steps have no idempotency key. A step that was done has no effect, and one that was undone must be done again.
  const stepsIn = (scope: StoreScope): Step => {
    const keyless = scope.keyed(undefined);
    return (key, decide) => keyless.handle(aggregate, key, decide, { wait: false });
  };
  return {
    keyOf,
    async reserve(scope, kind, requested, append) {
      const { value, previous } = requested;
      const key = keyOf(kind, value);
      const wantedValue: WantedValue = { kind: bind(kind), key, requested, step: stepsIn(scope) };
      const before = previous === undefined ? key : keyOf(kind, previous);
      const previousValue = before === key ? undefined : { ...wantedValue, key: before };
      return reserve(parts, aggregate, { wantedValue, previousValue }, append);
    },
    giveUp: (scope, kind, requested, append) =>
      giveUp(
        parts.logger,
        { kind: bind(kind), key: keyOf(kind, requested.value), requested, step: stepsIn(scope) },
        append,
      ),
    release: async (scope, kind, { value, owner }) =>
      void (await stepsIn(scope)(keyOf(kind, value), (state) => release(state, { kind: kind.kind, owner }))),
    repair: (open) => repair(parts, bind, aggregate, open, unknown),
  };
}

/** Reserves a value. `previousValue`: the value that the owner gives up for it. */
async function reserve<T>(
  parts: ReservationParts,
  aggregate: ReservationAggregate,
  { wantedValue, previousValue }: { wantedValue: WantedValue; previousValue: WantedValue | undefined },
  append: () => Promise<T>,
): Promise<T> {
  const taken = await take(parts, { ...wantedValue, aggregate });
  let reopened: number | undefined;
  try {
    if (previousValue !== undefined) reopened = await reopenClaim(previousValue);
    const result = await append();
    await attempt(parts.logger, () => confirmHeld(wantedValue, taken.claims));
    if (previousValue !== undefined) await attempt(parts.logger, () => settlePrevious(previousValue, reopened));
    return result;
  } catch (error) {
    if (isRefusal(error)) {
      // A value that the owner had before this call stays with the owner.
      if (taken.isNew) await attempt(parts.logger, () => releaseClaim(wantedValue, taken.claims));
      if (previousValue !== undefined && reopened !== undefined)
        await attempt(parts.logger, () => settlePrevious(previousValue, reopened));
    }
    throw error;
  }
}

async function giveUp<T>(logger: Logger, previousValue: WantedValue, append: () => Promise<T>): Promise<T> {
  const reopened = await reopenClaim(previousValue);
  const settled = () => attempt(logger, () => settlePrevious(previousValue, reopened));
  try {
    const result = await append();
    await settled();
    return result;
  } catch (error) {
    if (isRefusal(error)) await settled();
    throw error;
  }
}

async function repair(
  parts: ReservationParts,
  bind: (kind: ReservationKind) => BoundKind,
  aggregate: ReservationAggregate,
  { _id: key, kind: name }: OpenClaim,
  unknown: Set<string>,
): Promise<void> {
  const kind = parts.kinds.find((candidate) => candidate.kind === name);
  if (kind === undefined) {
    if (!unknown.has(name))
      parts.logger.warn({ kind: name }, 'claims of a kind that is not declared cannot be settled');
    unknown.add(name);
    return;
  }
  const seen = await parts.load(aggregate, key);
  if (seen.status === 'free') return;
  const asked = await ask(bind(kind), key, seen);
  await parts
    .repairScope(key)
    .handle(aggregate, key, (state) => settle(state, { kind: name, owner: seen.owner, now: parts.clock.now(), asked }));
}

/**
 * Whether an error says that nothing was written. After other errors, such as that of an unavailable server, that is
 * unknown.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.reason !== 'unavailable';
}

/** Work after the append of the owner must not turn its success into an error. The repair makes up for its failure. */
async function attempt(logger: Logger, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.warn({ error: describe(error) }, 'a reservation could not be settled; the repair settles it later');
  }
}
