import { type Db } from 'mongodb';
import { type Aggregate } from '../aggregates/aggregate.js';
import { streamOf } from '../events/streams.js';
import { assemble } from './assemble.js';
import { type Conditions } from '../commands/work.js';
import { asAppError } from '../database/database.js';
import { type AnyEvent, type CommandContext } from '../events/events.js';
import { type ScopeParts, StoreScope } from '../commands/store-scope.js';
import { type Health, healthOf } from './health.js';
import { type StoreOptions } from './options.js';
import { type Parked } from '../reactors/parked.js';
import { type Past, type Until, openPast } from '../aggregates/past.js';
import { type AnyProjection, type Projection } from '../projections/projection.js';
import { type ReadModel, versionOf } from '../read-models/read-model.js';
import { type Rebuilt, rebuild } from '../rebuild/rebuild.js';
import { type Waits, timeToAnswer } from '../projections/wait.js';
import { type Reservations } from '../reservations/reservations.js';
import { type Runtime, startRuntime, stopRuntime } from './runtime.js';
import { type Runs } from '../runs/runs.js';
import { type Slice } from '../database/slice.js';
import { type Timers } from '../timers/timers.js';

/** What a service reads and writes through. Servers that are away: `AppError('unavailable')`. */
export interface Store extends Omit<Waits, 'shown'> {
  /**
   * A scope for one piece of work, in which its commands and reads are made. Its commands wait until the projections
   * show what they recorded, unless told otherwise.
   */
  scope(context: CommandContext, conditions?: Conditions): StoreScope;
  /** The present state, read from the log. */
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State>;
  /**
   * A stream up to a moment or a position, to look back on (`Conditions.past`). `later`: the log does not go that far.
   * `former`: see `isFormer`.
   * @throws `history_too_long` beyond 10,000 events
   */
  past(
    of: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>,
    id: string,
    until: Until,
  ): Promise<Past | 'later' | 'former'>;
  /** The documents of a projection. */
  collection<D extends object>(projection: Projection<D>): ReadModel<D>;
  /**
   * Changes whenever a document of these projections does; `undefined` while that cannot be told. What was read and
   * made from them holds as long as it stays the same.
   */
  version(projections: Iterable<Pick<AnyProjection, 'collection'>>): string | undefined;
  /**
   * Calls `listener` when documents of a projection have changed, as far as this replica is told. Returns what ends it.
   */
  onChange(projection: Pick<AnyProjection, 'collection'>, listener: () => void): () => void;
  /** The service's database, for `op_*` collections. */
  readonly database: Db;
  readonly reservations: Reservations;
  readonly timers: Omit<Timers, 'task' | 'hear'>;
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
    isFormer: (position) => withAppErrors(() => scopes.isFormer(position)),
  };
  return {
    scope: (context, conditions) => new StoreScope(parts, { context, waits: true }, conditions),
    waitUntilVisible: (written) => scopes.waitUntilVisible(written),
    waitForTypes: (positions, deadline) => scopes.waitForTypes(positions, deadline),
    isLive: (projections) => scopes.isLive(projections),
    load: (aggregate, id) => parts.load(aggregate, id),
    past: (of, id, until) => withAppErrors(() => openPast(events, of, streamOf(namespace, of, id), until)),
    collection: (projection) => scopes.model(projection),
    waitForPosition: (position, ms) => parts.waitForPosition(position, ms),
    isFormer: (position) => parts.isFormer(position),
    written: (projection) => parts.written(projection),
    version: (projections) => versionOf(runtime, projections),
    onChange: ({ collection }, listener) => runtime.progress.onChange(collection, listener),
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
