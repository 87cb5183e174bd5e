import { type Aggregate } from '../aggregates/aggregate.js';
import { type AnyEvent } from '../events/events.js';

/** One kind of unique value of a service. */
export interface ReservationKind {
  /** In snake_case, unique in the service. */
  readonly kind: string;
  /** The normal form of a value. Values with the same one are the same. */
  normalise(value: string): string;
  /** Whether the owner's stream shows that the owner has the value of this key. */
  holds(owner: string, key: string, reading: ReservationReading): Promise<boolean>;
}

/** Functions with which a kind of value reads the streams of owners. */
export interface ReservationReading {
  /** The present state of a stream, read from the log. */
  load: <State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string) => Promise<State>;
  /** See `Reservations.keyOf`. */
  keyOf: (kind: Pick<ReservationKind, 'kind' | 'normalise'>, value: string) => string;
}

export interface Claim {
  readonly value: string;
  readonly owner: string;
  /** The value that the owner gives up in the same operation, if there is one. */
  readonly previous?: string | undefined;
}

/** The functions with which work reserves values and gives them up. `Scope`: the `StoreScope` of the work. */
export interface ScopeReservations<Scope> {
  /**
   * Claims `value`, makes `previous` an open claim, and calls `append`, which writes to the owner's stream. Then it
   * confirms the value that the owner's stream shows and releases the other. If `append` is refused, everything is as
   * before. If its outcome is unknown, or the process dies, the claims are settled later. `append` must refuse when
   * `previous` is no longer the owner's value.
   * @throws AppError `already_exists` when another owner has the value
   */
  reserve<T>(scope: Scope, kind: ReservationKind, requested: Claim, append: () => Promise<T>): Promise<T>;
  /**
   * Calls `append`, by which the owner's stream gives the value up, and then releases the value. If `append` is
   * refused, everything is as before. If the process dies in between, an open claim remains, which is settled later.
   */
  giveUp<T>(
    scope: Scope,
    kind: ReservationKind,
    requested: Omit<Claim, 'previous'>,
    append: () => Promise<T>,
  ): Promise<T>;
  /** Releases a value that the owner's stream has given up. */
  release(scope: Scope, kind: ReservationKind, requested: Omit<Claim, 'previous'>): Promise<void>;
}
