import { type Db } from 'mongodb';
import { AppError } from '@scriptorium/contracts';
import { type Aggregate, streamOf } from './aggregate.js';
import { assemble } from './assemble.js';
import { type Past, isDry } from './conduct.js';
import { asAppError } from './database.js';
import { type AnyEvent } from './events.js';
import { type Decide, type Done, handleCommand } from './handle.js';
import { type Health, healthOf } from './health.js';
import { type CommandContext } from './metadata.js';
import { type StoreOptions } from './options.js';
import { type Parked } from './parked.js';
import { historicDocument, imaginedDocument } from './seen-documents.js';
import { type Until, openPast } from './past.js';
import { type AnyProjection, type Projection } from './projection.js';
import { type ReadModel, readable } from './read-model.js';
import { type Rebuilt, rebuild } from './rebuild.js';
import { type Reached, reached } from './reached.js';
import { type Reservations } from './reservations.js';
import { type Runtime, erase, startRuntime, stopRuntime } from './runtime.js';
import { type Slice } from './slice.js';
import { readFolded } from './stream-reader.js';
import { type Timers } from './timers.js';

export interface HandleOptions {
  /** Wait until the service's projections show what was recorded (default), or return at once. */
  readonly wait?: boolean;
}

/** What an outcome is waited for by. */
type Seen = Pick<Done<unknown, AnyEvent>, 'position' | 'types'>;

/** What a service reads and writes through. Servers that are away: `AppError('unavailable')`. */
export interface Store {
  /**
   * Runs a command: see `handleCommand`. Then waits until the projections show it; longer than 2 s is counted, and near the
   * deadline it is `unavailable`: recorded, to be found by reading or by repeating with the same `idem`.
   */
  handle<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    context: CommandContext,
    decide: Decide<State, E>,
    options?: HandleOptions,
  ): Promise<Done<State, E>>;
  /** Waits until the live projections of this service show an outcome; false when 2 s were not enough. */
  visible(done: Seen): Promise<boolean>;
  /**
   * Waits until the live projections of this service show an outcome, as `handle` does: near the deadline (epoch ms; 8 s from
   * then on unless told) it is `unavailable`.
   */
  shown(done: Seen, deadline?: number): Promise<void>;
  /** Whether all these projections answer for what was written, as far as this replica knows. Asks no server. */
  isLive(projections: readonly Pick<AnyProjection, 'collection'>[]): boolean;
  /** The present state, read from the log. */
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State>;
  /**
   * A stream up to a moment or a position, to look back on (`Conduct.past`). `later`: the log does not go that far.
   * @throws `history_too_long` beyond 10,000 events
   */
  past(of: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string, until: Until): Promise<Past | 'later'>;
  /** The documents of a projection. */
  collection<D extends object>(projection: Projection<D>): ReadModel<D>;
  /**
   * Changes whenever a document of these projections does; `undefined` while that cannot be told. What was read and made
   * from them holds as long as it stays the same.
   */
  version(projections: readonly AnyProjection[]): string | undefined;
  /** The position up to which a projection's documents are all there; `-1n` when that is not known. Later documents may be there too. */
  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint>;
  /** Waits until the projections have everything of this service up to a position of the log. */
  reached(position: bigint, ms: number): Promise<Reached>;
  /** The service's database, for `op_*` collections. */
  readonly database: Db;
  readonly reservations: Reservations;
  readonly timers: Omit<Timers, 'task'>;
  /** Deletes a stream for good (personal data) and what is remembered of it. */
  erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void>;
  /**
   * Prepares collections, competes for leases and resolves when all projections show what the log had by then, or have stopped. Waits for servers that
   * are not there yet. Rejects with `unexpected` when a projection's code changed under the same version.
   */
  start(): Promise<void>;
  /** Finishes what runs, releases leases, closes connections. */
  stop(): Promise<void>;
  health(): Promise<Health>;
  /** Events that reactors could not take, sorted by `parkedAt` and id; the first 1,000 unless told which. */
  parked(slice?: Slice<string>): Promise<Parked[]>;
  countParked(): Promise<number>;
  /** Has a parked event and what waits behind it tried again by the replica that runs the reactor. Throws `not_found`. */
  retryParked(id: string): Promise<void>;
  /**
   * Builds projections (all, or one by its collection) from the beginning beside the live ones and compares contents. Throws
   * `conflict` while one of them is being rebuilt already, on any replica, and `unavailable` when `deadline` (epoch ms, an hour
   * from now unless told) comes first.
   */
  rebuild(collection?: string, deadline?: number): Promise<Rebuilt[]>;
}

const visibleWithin = 2000;
/** For commands without a deadline, ms. */
const longestWait = 8_000;
const timeToAnswer = 500;

/** Opens a service's store. Nothing connects before it is used. */
export function createStore(options: StoreOptions): Store {
  const runtime = assemble(options);
  const { database, events, snapshots, handleParts, namespace } = runtime;
  const modelOf = readModels(runtime);
  const visible = (done: Seen): Promise<boolean> => becomesVisible(runtime, done);
  return {
    handle: (aggregate, id, context, decide, { wait = true } = {}) =>
      known(async () => {
        const done = await handleCommand(handleParts, aggregate, id, context, decide);
        if (wait) await shown(runtime, done, context.deadline);
        return done;
      }),
    visible,
    shown: (done, deadline) => shown(runtime, done, deadline),
    isLive: (projections) => projections.every(({ collection }) => runtime.progress.of(collection)?.state === 'live'),
    load: (aggregate, id) => known(async () => (await readFolded(events, snapshots, aggregate, streamOf(namespace, aggregate, id))).state),
    past: (of, id, until) => known(() => openPast(events, of, streamOf(namespace, of, id), until)),
    collection: (projection) => modelOf(projection),
    reached: (position, ms) => known(() => reached(runtime, position, ms)),
    written: ({ collection }) => known(() => runtime.progress.written(collection)),
    version: (projections) => versionOf(runtime, projections),
    database: database.db,
    reservations: runtime.reservations,
    timers: runtime.timers,
    erase: (aggregate, id) => known(async () => (isDry() ? undefined : erase(runtime, streamOf(namespace, aggregate, id)))),
    start: () => startRuntime(runtime),
    stop: () => stopRuntime(runtime),
    health: () => healthOf(runtime),
    parked: (slice = { limit: 1000 }) => known(() => runtime.parking.list(slice)),
    countParked: () => known(() => runtime.parking.count()),
    retryParked: (id) => known(() => runtime.parking.retry(id)),
    rebuild: (collection, deadline) => known(() => whileRunning(runtime, rebuildAll(runtime, collection, deadline))),
  };
}

/** One read model for each collection, so that all readers share what is remembered. */
function readModels(runtime: Runtime): <D extends object>(projection: Projection<D>) => ReadModel<D> {
  const models = new Map<string, ReadModel<never>>();
  return <D extends object>(projection: Projection<D>): ReadModel<D> => {
    const { collection } = projection;
    const known = models.get(collection) as ReadModel<D> | undefined;
    if (known !== undefined) return known;
    const model = readable<D>(runtime.database.db.collection(collection), {
      version: () => versionOf(runtime, [projection]),
      clock: runtime.clock,
      written: (id) => runtime.projector.written(collection, id),
      seen: (id, doc) => historicDocument(projection, id, imaginedDocument(projection, id, doc)),
    });
    models.set(collection, model as ReadModel<never>);
    return model;
  };
}

function versionOf({ progress }: Runtime, projections: readonly Pick<AnyProjection, 'collection'>[]): string | undefined {
  let version = '';
  for (const { collection } of projections) {
    const known = progress.of(collection);
    if (known === undefined) return undefined;
    version += `${known.epoch}:${known.changed};`;
  }
  return version;
}

/** Runs `work`; an absent database becomes `unavailable`. */
async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asAppError(error);
  }
}

/**
 * An answer must not show less than what it answers for; of what is only tried there is nothing to wait for. Beyond the 2 s that are counted, while another replica takes the
 * projections over, it waits on until its deadline is near, and then says that the outcome is not known to the reader.
 */
async function shown(runtime: Runtime, done: Seen, deadline: number | undefined): Promise<void> {
  if (isDry() || (await becomesVisible(runtime, done))) return;
  const left = (deadline ?? runtime.clock.now() + longestWait) - runtime.clock.now() - timeToAnswer;
  if (left > 0 && (await runtime.progress.wait(consumersOf(runtime, done), done.position, left))) return;
  throw new AppError('unavailable', [], { message: 'The change is recorded, but cannot be shown yet', retryAfter: 1 });
}

async function becomesVisible(runtime: Runtime, done: Seen): Promise<boolean> {
  const names = consumersOf(runtime, done);
  if (names.length === 0 || (await runtime.progress.wait(names, done.position, visibleWithin))) return true;
  runtime.metrics.waitExceeded?.();
  return false;
}

function consumersOf({ projections }: Runtime, { types }: Seen): string[] {
  return projections.filter((projection) => types.some((type) => projection.types.has(type))).map(({ collection }) => collection);
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

async function rebuildAll(runtime: Runtime, collection: string | undefined, deadline: number | undefined): Promise<Rebuilt[]> {
  const wanted = runtime.projections.filter((projection) => collection === undefined || projection.collection === collection);
  const parts = { ...runtime, db: runtime.database.db, ids: runtime.handleParts.ids };
  const results: Rebuilt[] = [];
  for (const projection of wanted) results.push(await rebuild(parts, projection, deadline === undefined ? undefined : deadline - timeToAnswer));
  return results;
}
