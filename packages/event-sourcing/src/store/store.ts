import { type Db } from 'mongodb';
import { type Aggregate, streamOf } from '../aggregates/aggregate.js';
import { assemble } from './assemble.js';
import { type Conditions, type Written, startWork } from '../commands/work.js';
import { asAppError } from '../database/database.js';
import { type AnyEvent } from '../events/events.js';
import { type ScopeParts, type StoreScope } from '../commands/store-scope.js';
import { createScope } from '../commands/work-scope.js';
import { type Health, healthOf } from './health.js';
import { type CommandContext } from '../events/metadata.js';
import { type StoreOptions } from './options.js';
import { type Parked } from '../reactors/parked.js';
import { type Past, type Until, openPast } from '../aggregates/past.js';
import { type AnyProjection, type Projection } from '../projections/projection.js';
import { type ReadModel } from '../read-models/read-model.js';
import { type Rebuilt, rebuild } from '../rebuild/rebuild.js';
import { type PositionOutcome } from '../projections/wait-for-position.js';
import { type Reservations } from '../reservations/reservations.js';
import { versionOf } from './read-models.js';
import { type Runtime, startRuntime, stopRuntime } from './runtime.js';
import { waitForTypes, timeToAnswer } from './wait-until-visible.js';
import { type Runs } from '../runs/runs.js';
import { type Slice } from '../database/slice.js';
import { type Timers } from '../timers/timers.js';

/** What a service reads and writes through. Servers that are away: `AppError('unavailable')`. */
export interface Store {
  /**
   * A scope for one piece of work, in which its commands and reads are made. Its commands wait until the projections
   * show what they recorded, unless told otherwise.
   */
  scope(context: CommandContext, conditions?: Conditions): StoreScope;
  /** Waits until the live projections of this service show an outcome; false when 2 s were not enough. */
  waitUntilVisible(written: Written): Promise<boolean>;
  /** Waits until the live projections show what was recorded elsewhere, also by another service: see `waitForTypes`. */
  waitForTypes(positions: ReadonlyMap<string, bigint>, deadline: number): Promise<void>;
  /** Whether all these projections answer for what was written, as far as this replica knows. Asks no server. */
  isLive(projections: readonly Pick<AnyProjection, 'collection'>[]): boolean;
  /** The present state, read from the log. */
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State>;
  /**
   * A stream up to a moment or a position, to look back on (`Conditions.past`). `later`: the log does not go that far.
   * @throws `history_too_long` beyond 10,000 events
   */
  past(of: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string, until: Until): Promise<Past | 'later'>;
  /** The documents of a projection. */
  collection<D extends object>(projection: Projection<D>): ReadModel<D>;
  /**
   * Changes whenever a document of these projections does; `undefined` while that cannot be told. What was read and
   * made from them holds as long as it stays the same.
   */
  version(projections: Iterable<Pick<AnyProjection, 'collection'>>): string | undefined;
  /**
   * The position up to which a projection's documents are all there; `-1n` when that is not known. Later documents may
   * be there too.
   */
  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint>;
  /** Waits until the projections have everything of this service up to a position of the log. */
  waitForPosition(position: bigint, ms: number): Promise<PositionOutcome>;
  /** The service's database, for `op_*` collections. */
  readonly database: Db;
  readonly reservations: Reservations;
  readonly timers: Omit<Timers, 'task'>;
  /** Long work that was requested (`StoreScope.requestRun`). */
  readonly runs: Runs;
  /** Deletes a stream for good (personal data) and what is cached of it. */
  erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void>;
  /**
   * Prepares collections, competes for leases and resolves when all projections show what the log had by then, or have
   * stopped. Waits for servers that are not there yet. Rejects with `unexpected` when a projection's code changed under
   * the same version.
   */
  start(): Promise<void>;
  /** Finishes what runs, releases leases, closes connections. */
  stop(): Promise<void>;
  health(): Promise<Health>;
  /** Events that reactors could not take, sorted by `parkedAt` and id; the first 1,000 unless told which. */
  parked(slice?: Slice<string>): Promise<Parked[]>;
  countParked(): Promise<number>;
  /**
   * Has a parked event and what waits behind it tried again by the replica that runs the reactor. Throws `not_found`.
   */
  retryParked(id: string): Promise<void>;
  /**
   * Builds projections (all, or one by its collection) from the beginning beside the live ones and compares contents.
   * Throws `conflict` while one of them is being rebuilt already, on any replica, and `unavailable` when `deadline`
   * (epoch ms, an hour from now unless told) comes first.
   */
  rebuild(collection?: string, deadline?: number): Promise<Rebuilt[]>;
}

/** Opens a service's store. Nothing connects before it is used. */
export function createStore(options: StoreOptions): Store {
  const runtime = assemble(options);
  const { database, events, namespace, scopes } = runtime;
  const parts: ScopeParts = {
    ...scopes,
    handle: (...command) => withAppErrors(() => scopes.handle(...command)),
    load: (aggregate, id) => withAppErrors(() => scopes.load(aggregate, id)),
    erase: (aggregate, id) => withAppErrors(() => scopes.erase(aggregate, id)),
    written: (projection) => withAppErrors(() => scopes.written(projection)),
    waitForPosition: (position, ms) => withAppErrors(() => scopes.waitForPosition(position, ms)),
  };
  return {
    scope: (context, conditions) => createScope(parts, startWork(conditions), context, true),
    waitUntilVisible: (written) => scopes.waitUntilVisible(written),
    waitForTypes: (positions, deadline) => waitForTypes(runtime, positions, deadline),
    isLive: (projections) => scopes.isLive(projections),
    load: (aggregate, id) => parts.load(aggregate, id),
    past: (of, id, until) => withAppErrors(() => openPast(events, of, streamOf(namespace, of, id), until)),
    collection: (projection) => runtime.model(projection),
    waitForPosition: (position, ms) => parts.waitForPosition(position, ms),
    written: (projection) => parts.written(projection),
    version: (projections) => versionOf(runtime, projections),
    database: database.db,
    reservations: runtime.reservations,
    timers: runtime.timers,
    runs: runtime.runs,
    erase: (aggregate, id) => parts.erase(aggregate, id),
    start: () => startRuntime(runtime),
    stop: () => stopRuntime(runtime),
    health: () => healthOf(runtime),
    parked: (slice = { limit: 1000 }) => withAppErrors(() => runtime.parking.list(slice)),
    countParked: () => withAppErrors(() => runtime.parking.count()),
    retryParked: (id) => withAppErrors(() => runtime.parking.retry(id)),
    rebuild: (collection, deadline) =>
      withAppErrors(() => whileRunning(runtime, rebuildAll(runtime, collection, deadline))),
  };
}

/** Runs `work`; an absent database becomes `unavailable`. */
async function withAppErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asAppError(error);
  }
}

/** Work that the store's end waits for. */
async function whileRunning<T>({ requested }: Runtime, work: Promise<T>): Promise<T> {
  requested.add(work);
  try {
    return await work;
  } finally {
    requested.delete(work);
  }
}

async function rebuildAll(
  runtime: Runtime,
  collection: string | undefined,
  deadline: number | undefined,
): Promise<Rebuilt[]> {
  const wanted = runtime.projections.filter(
    (projection) => collection === undefined || projection.collection === collection,
  );
  const parts = { ...runtime, db: runtime.database.db, ids: runtime.handleParts.ids };
  const results: Rebuilt[] = [];
  for (const projection of wanted)
    results.push(await rebuild(parts, projection, deadline === undefined ? undefined : deadline - timeToAnswer));
  return results;
}
