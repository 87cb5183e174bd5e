import { type Db } from 'mongodb';
import { type Aggregate, streamOf } from './aggregate.js';
import { type Broadcast, localBroadcast } from './broadcast.js';
import { createConsumers } from './consumers.js';
import { openDatabase } from './database.js';
import { openEventStore } from './event-store.js';
import { type AnyEvent } from './events.js';
import { createFoldCache } from './folded.js';
import { type Decide, type Done, handleCommand } from './handle.js';
import { type Health, healthOf } from './health.js';
import { type Ids, systemIds } from './ids.js';
import { type CommandContext } from './metadata.js';
import { type Logger, type StoreMetrics, silentLogger } from './observe.js';
import { createProgress } from './progress.js';
import { type AnyProjection, type Projection } from './projection.js';
import { createProjector } from './projector.js';
import { type ReadModel, readable } from './read-model.js';
import { type Runtime, startRuntime, stopRuntime } from './runtime.js';
import { createSnapshots } from './snapshots.js';
import { createKeyedQueue } from './stream-queue.js';
import { readFolded } from './stream-reader.js';
import { type Clock, systemClock } from './time.js';

export interface StoreOptions {
  readonly service: string;
  /** Prefixes streams, subjects and the database's name. */
  readonly namespace: string;
  readonly eventstoreUrl: string;
  readonly mongoUrl: string;
  readonly projections: readonly AnyProjection[];
  /** How replicas hear of each other; without one there is only this process. */
  readonly broadcast?: Broadcast;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly metrics?: StoreMetrics;
  readonly logger?: Logger;
}

export interface HandleOptions {
  /** Wait until the service's projections show what was recorded (default), or return at once. */
  readonly wait?: boolean;
}

/** What a service reads and writes through. */
export interface Store {
  /** Runs a command: see `handleCommand`. Then waits for the projections, at most 2 s. */
  handle<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    context: CommandContext,
    decide: Decide<State, E>,
    options?: HandleOptions,
  ): Promise<Done<State, E>>;
  /** Waits until the live projections of this service show an outcome; false when 2 s were not enough. */
  visible(done: Pick<Done<unknown, AnyEvent>, 'position' | 'types'>): Promise<boolean>;
  /** The present state, read from the log. */
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State>;
  /** The documents of a projection. */
  collection<D extends object>(projection: Projection<D>): ReadModel<D>;
  /** The service's database, for `op_*` collections. */
  readonly database: Db;
  /** Deletes a stream for good (personal data) and what is remembered of it. */
  erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void>;
  /**
   * Prepares collections, competes for leases and resolves when all projections are live or stopped. Waits for servers that
   * are not there yet. Rejects when a projection's code changed under the same version.
   */
  start(): Promise<void>;
  /** Finishes what runs, releases leases, closes connections. */
  stop(): Promise<void>;
  health(): Promise<Health>;
}

const visibleWithin = 2000;
const commandsPerStream = 1000;

/** Opens a service's store. Nothing connects before it is used. */
export function createStore(options: StoreOptions): Store {
  const runtime = assemble(options);
  const { database, metrics, progress, events, snapshots, parts } = runtime;
  const visible = async ({ position, types }: Pick<Done<unknown, AnyEvent>, 'position' | 'types'>): Promise<boolean> => {
    const names = options.projections.filter((projection) => types.some((type) => projection.types.has(type))).map(({ collection }) => collection);
    if (names.length === 0 || (await progress.wait(names, position, visibleWithin))) return true;
    metrics.waitExceeded?.();
    return false;
  };
  return {
    async handle(aggregate, id, context, decide, { wait = true } = {}) {
      const done = await handleCommand(parts, aggregate, id, context, decide);
      if (wait) await visible(done);
      return done;
    },
    visible,
    load: async (aggregate, id) => (await readFolded(events, snapshots, aggregate, streamOf(options.namespace, aggregate, id))).state,
    collection: ({ collection }) => readable(database.db.collection(collection)),
    database: database.db,
    erase: (aggregate, id) => erase(runtime, streamOf(options.namespace, aggregate, id)),
    start: () => startRuntime(runtime),
    stop: () => stopRuntime(runtime),
    health: () => healthOf(runtime),
  };
}

function assemble(options: StoreOptions): Runtime {
  const { service, namespace, projections, broadcast = localBroadcast(), clock = systemClock, ids = systemIds, metrics = {}, logger = silentLogger } = options;
  const database = openDatabase(options.mongoUrl, `${namespace}_${service}`);
  const { db } = database;
  const events = openEventStore(options.eventstoreUrl);
  const snapshots = createSnapshots(db, logger);
  const consumers = createConsumers(db);
  const cache = createFoldCache();
  const owner = ids.uuid();
  const subject = `${namespace}.${service}.progress`;
  const names = projections.map(({ collection }) => collection);
  const progress = createProgress({ names, consumers, subject, broadcast, clock, logger });
  const projector = createProjector({ namespace, service, owner, projections, db, events, consumers, progress, clock, logger, metrics });
  const parts = { namespace, events, snapshots, cache, queue: createKeyedQueue(commandsPerStream), clock, ids, metrics };
  return { service, namespace, owner, projections, database, events, snapshots, consumers, cache, progress, projector, parts, broadcast, clock, logger, metrics, stopped: new AbortController() };
}

async function erase(runtime: Runtime, stream: string): Promise<void> {
  await runtime.events.erase(stream);
  runtime.cache.delete(stream);
  runtime.broadcast.publish(`${runtime.namespace}.${runtime.service}.erased`, Buffer.from(stream));
  await runtime.snapshots.purge(stream);
}
