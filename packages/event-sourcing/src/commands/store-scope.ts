import { type Aggregate } from '../aggregates/aggregate.js';
import { type CommandScope } from './command-scope.js';
import { type Decide, type Done } from './command.js';
import { type CommandOptions } from './handle.js';
import { type Written, type WrittenByType } from './work.js';
import { type AnyEvent } from '../events/events.js';
import { type CommandContext } from '../events/metadata.js';
import { type AnyProjection, type Projection } from '../projections/projection.js';
import { type ReadModel } from '../read-models/read-model.js';
import { type PositionOutcome } from '../projections/wait-for-position.js';
import { type RunCommands, type NewRun, type RunKind, type RunView } from './run-request.js';
import { type Claim, type ReservationKind, type ScopeReservations } from './reservation-request.js';

/** Something to be done later. The same id again replaces what was scheduled. */
export interface NewTimer {
  readonly id: string;
  /** Epoch ms by the store's clock. */
  readonly at: number;
  /** Which handler. */
  readonly command: string;
  /** JSON-like. */
  readonly data: unknown;
  readonly organization: string | null;
  readonly correlation: string;
}

/** Everything that one request, reaction or timer reads and writes through. See `CommandScope`. */
export interface StoreScope extends CommandScope {
  /** Whether what is read is what everybody reads: neither tried out nor looked back on. */
  readonly present: boolean;
  /** The documents of a projection, as this work sees them. */
  read<D extends object>(projection: Projection<D>): ReadModel<D>;
  /** The present state of a stream, read from the log. */
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State>;
  /** See `Reservations.reserve`. */
  reserve<T>(kind: ReservationKind, wish: Claim, append: () => Promise<T>): Promise<T>;
  /** See `Reservations.giveUp`. */
  giveUp<T>(kind: ReservationKind, wish: Omit<Claim, 'previous'>, append: () => Promise<T>): Promise<T>;
  /** See `Reservations.release`. */
  release(kind: ReservationKind, wish: Omit<Claim, 'previous'>): Promise<void>;
  /** Deletes a stream for good (personal data), and what is cached of it. A dry run deletes nothing. */
  erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void>;
  /** Schedules a timer for the same organization and correlation. A dry run schedules nothing. */
  schedule(timer: Omit<NewTimer, 'organization' | 'correlation'>): Promise<void>;
  /**
   * Requests a run for the same organization and correlation; the same id again is the same run, however far it is. It
   * begins within a second, on any replica. Throws `already_exists` when the id belongs to a run of something else,
   * `limit_reached` when the organization has too many open ones of this kind, `too_large` for an input beyond 64 KiB.
   */
  requestRun<I, S>(kind: RunKind<I, S>, run: NewRun<I>): Promise<RunView>;
  /**
   * Has a run end at its next step boundary; nothing happens to one that has ended. Throws `not_found`, and `conflict`
   * for a kind that cannot be cancelled.
   */
  cancelRun(id: string): Promise<void>;
  /**
   * Waits until the live projections show what was written, as `handle` does; near the deadline of the work it is
   * `unavailable`. Of a dry run there is nothing to wait for.
   */
  shown(written: Written): Promise<void>;
  /** Waits until the live projections show what was written; false when 2 s were not enough. */
  waitUntilVisible(written: Written): Promise<boolean>;
  /** Whether all these projections answer for what was written, as far as this replica knows. Asks no server. */
  isLive(projections: readonly Pick<AnyProjection, 'collection'>[]): boolean;
  /** See `Store.written`. */
  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint>;
  /** See `Store.waitForPosition`. */
  waitForPosition(position: bigint, ms: number): Promise<PositionOutcome>;
  /** What the work has recorded so far, or had recorded before; `undefined` when that is nothing. */
  recorded(): WrittenByType | undefined;
  /**
   * Asks the precondition of the request before another service changes something for it, as `handle` does before it
   * appends.
   */
  beforeElsewhere(): Promise<void>;
  /**
   * Counts what another service, or a faster reactor of this one, recorded for this work as recorded by it, and waits
   * until the projections of this service show it. `positions`: log position of the last event of each type. Throws
   * `unavailable` near the deadline.
   */
  recordedElsewhere(positions: ReadonlyMap<string, bigint>): Promise<void>;
  /** The same work, which tells `note` of each projection that is read through it. */
  noting(note: (projection: AnyProjection) => void): this;
}

/** What a scope does its work with. */
export interface ScopeParts {
  handle<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    context: CommandContext,
    decide: Decide<State, E>,
    options: CommandOptions,
  ): Promise<Done<State, E>>;
  waitUntilVisible(written: Written): Promise<boolean>;
  isLive(projections: readonly Pick<AnyProjection, 'collection'>[]): boolean;
  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint>;
  waitForPosition(position: bigint, ms: number): Promise<PositionOutcome>;
  /** Waits until the projections show it. */
  shown(written: Written, deadline: number | undefined): Promise<void>;
  /** Waits until the projections show what other services recorded. */
  waitForTypes(positions: ReadonlyMap<string, bigint>, deadline: number | undefined): Promise<void>;
  model<D extends object>(projection: Projection<D>): ReadModel<D>;
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State>;
  reservations(): ScopeReservations;
  erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void>;
  schedule(timer: NewTimer): Promise<void>;
  runs(): RunCommands;
}
