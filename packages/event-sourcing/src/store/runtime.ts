import { AppError } from '@scriptorium/contracts';
import { type Broadcast } from '../process/broadcast.js';
import { type ConsumerDeclaration, type Consumers } from '../leases/consumers.js';
import { createIndexes, type Database, indexesOf } from '../database/database.js';
import { type Log } from '../events/log-offset.js';
import { type FoldCache, type Snapshots } from '../aggregates/folded.js';
import { type HandleParts } from '../commands/command.js';
import { type ScopeParts } from '../commands/store-scope.js';
import { type LeaseManager, startLeaseManager } from '../leases/lease-manager.js';
import { dropWhatIsAhead } from './ahead-of-log.js';
import { maintenanceIndexes } from './maintenance.js';
import { type Logger, type StoreMetrics, describe } from '../process/observe.js';
import { type ParkingLot, parkingIndexes } from '../reactors/parked.js';
import { type Progress } from '../projections/progress.js';
import { type AnyProjection } from '../projections/projection.js';
import { type Projector } from '../projections/projector.js';
import { type Reactor } from '../reactors/reactor.js';
import { type Reservations } from '../reservations/reservations.js';
import { runIndexes } from '../runs/run-documents.js';
import { type RunEngine } from '../runs/engine/run-engine.js';
import { type Runs } from '../runs/runs.js';
import { type Tasks } from '../leases/tasks.js';
import { type Clock, backOff, pause, within } from '../process/time.js';
import { type Timers, timerIndexes } from '../timers/timers.js';

/** The parts of a running store. */
export interface Runtime {
  readonly service: string;
  readonly namespace: string;
  /** This replica, for this run. */
  readonly owner: string;
  readonly projections: readonly AnyProjection[];
  readonly reactors: readonly Reactor[];
  readonly database: Database;
  readonly events: Log;
  readonly snapshots: Snapshots;
  readonly consumers: Consumers;
  readonly cache: FoldCache;
  readonly progress: Progress;
  readonly projector: Projector;
  readonly tasks: Tasks;
  readonly taskNames: readonly string[];
  readonly parking: ParkingLot;
  readonly timers: Timers;
  readonly runs: Runs;
  readonly runEngine: RunEngine;
  readonly reservations: Reservations;
  readonly scopes: ScopeParts;
  readonly handleParts: HandleParts;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: StoreMetrics;
  readonly stopped: AbortController;
  /** Long work that somebody asked for; it ends when the store stops. */
  readonly requested: Set<Promise<unknown>>;
  /** Settles when the start has come to its end, whatever that was. */
  starting: Promise<void>;
  leases?: LeaseManager;
  forgetting?: { stop(): void };
  hearingTimers?: { stop(): void };
}

/** The log may have to be searched for it. */
const reachedWithin = 60_000;

/** A reaction that hangs must not hold up a shutdown; it is repeated by the next owner. */
const stopWithin = 1500;

/** Retries until the servers are there; see `Store.start`. */
export function startRuntime(runtime: Runtime): Promise<void> {
  const starting = begin(runtime);
  runtime.starting = starting.catch(() => undefined);
  return starting;
}

async function begin(runtime: Runtime): Promise<void> {
  const { progress, broadcast, namespace, service, stopped } = runtime;
  let tail = -1n;
  await untilAvailable(runtime, async () => {
    await runtime.database.connect();
    stopped.signal.throwIfAborted();
    // Whose beat stands still is seen the sooner the longer it was watched: this goes on beside all the rest.
    runtime.leases ??= leaseManagerOf(runtime);
    await progress.start();
    runtime.forgetting ??= await broadcast.subscribe(`${namespace}.${service}.erased`, (body) =>
      runtime.cache.delete(Buffer.from(body).toString('utf8')),
    );
    runtime.hearingTimers ??= await runtime.timers.hear();
    tail = await prepare(runtime);
  });
  if (stopped.signal.aborted) return;
  runtime.leases?.compete();
  await untilReady(runtime);
  await untilReached(runtime, tail);
  // A step reads what a request would.
  runtime.runEngine.start();
}

function leaseManagerOf(runtime: Runtime): LeaseManager {
  const { projector, tasks } = runtime;
  const leases = startLeaseManager({
    ...runtime,
    names: [...runtime.projections.map(({ collection }) => collection), ...runtime.taskNames],
    canRun: (name, { types }) =>
      knowsAll(
        runtime.projections.find(({ collection }) => collection === name),
        types,
      ),
    subject: `${runtime.namespace}.${runtime.service}.lease`,
    changed(heldLeases) {
      void projector.changed(heldLeases, leases);
      tasks.changed(heldLeases, leases);
    },
  });
  return leases;
}

/**
 * A replica of an older version does not run a projection that has taken in events which it does not know: it would
 * pass over them.
 */
function knowsAll(projection: AnyProjection | undefined, taken: readonly string[]): boolean {
  return projection?.grows !== true || taken.every((type) => projection.types.has(type));
}

/** Answers where the log ended before anything began. */
async function prepare(runtime: Runtime): Promise<bigint> {
  const { projections, reactors, taskNames, consumers, events } = runtime;
  const { db } = runtime.database;
  const { signal } = runtime.stopped;
  await events.requireServer(signal);
  const tail = await events.tail();
  signal.throwIfAborted();
  const starts = new Map(reactors.map(({ consumer, from }) => [consumer, from === 'now' ? tail : -1n]));
  const tasks = taskNames.map((name): ConsumerDeclaration => ({
    name,
    fingerprint: 'task',
    position: starts.get(name) ?? -1n,
  }));
  await consumers.declare([
    ...projections.map(({ collection, fingerprint, grows, types }) => ({
      name: collection,
      fingerprint,
      position: -1n,
      ...(grows ? { types: [...types] } : {}),
    })),
    ...tasks,
  ]);
  await createIndexes(db, {
    ...indexesOf(projections),
    ...parkingIndexes,
    ...timerIndexes,
    ...runIndexes,
    ...maintenanceIndexes,
  });
  await dropWhatIsAhead(runtime);
  return tail;
}

async function untilAvailable(runtime: Runtime, work: () => Promise<void>): Promise<void> {
  const { signal } = runtime.stopped;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof AppError && error.reason === 'unexpected') throw error;
      runtime.logger.warn({ error: describe(error) }, 'waiting for the servers');
      await pause(backOff(failures), signal);
    }
  }
}

/** Whether every projection of the service answers for what was written, or has stopped and says so. */
export function isReady({ projections, progress }: Pick<Runtime, 'projections' | 'progress'>): boolean {
  return projections.every(({ collection }) => {
    const state = progress.of(collection)?.state;
    return state === 'live' || state === 'stopped';
  });
}

async function untilReady(runtime: Runtime): Promise<void> {
  const { signal } = runtime.stopped;
  while (!isReady(runtime) && !signal.aborted) {
    await pause(25, signal);
    await runtime.progress.refresh().catch(() => undefined);
  }
}

/**
 * A process died, or a backup was taken, behind the log: what is read first must not be older than what was
 * acknowledged last.
 */
async function untilReached(runtime: Runtime, tail: bigint): Promise<void> {
  const {
    logger,
    stopped: { signal },
  } = runtime;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      if ((await runtime.scopes.waitForPosition(tail, reachedWithin)) !== 'late') return;
      if (!signal.aborted)
        logger.warn({ position: String(tail) }, 'waiting for the projections to show what the log holds');
    } catch (error) {
      if (!signal.aborted) logger.warn({ error: describe(error) }, 'waiting for the servers');
    }
    await pause(backOff(failures), signal);
  }
}

/** See `Store.stop`. Safe to call at any time, also before `start` has ended. */
export async function stopRuntime(runtime: Runtime): Promise<void> {
  const { projector, tasks, runEngine, logger } = runtime;
  runtime.stopped.abort();
  // A start that goes on must not connect anew what is closed here.
  await within(stopWithin, 'starting', runtime.starting).catch(() => undefined);
  const ended = Promise.all([runEngine.stop(), projector.stop(), tasks.stop(), Promise.allSettled(runtime.requested)]);
  await within(stopWithin, 'stopping', ended).catch((error: unknown) =>
    logger.warn({ error: describe(error) }, 'work was left unfinished'),
  );
  await runtime.leases?.stop();
  runtime.progress.stop();
  runtime.forgetting?.stop();
  runtime.hearingTimers?.stop();
  await runtime.snapshots.settled();
  await runtime.events.close();
  await runtime.database.close();
}
