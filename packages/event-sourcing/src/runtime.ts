import { AppError } from '@scriptorium/contracts';
import { type Broadcast } from './broadcast.js';
import { type Consumers } from './consumers.js';
import { type Database, ensureIndexes } from './database.js';
import { type EventStore } from './event-store.js';
import { type FoldCache } from './folded.js';
import { type HandleParts } from './handle.js';
import { type Lease, startLease } from './lease.js';
import { type Logger, type StoreMetrics, describe } from './observe.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';
import { type Projector } from './projector.js';
import { type Snapshots } from './snapshots.js';
import { type Clock, backOff, pause } from './time.js';

/** The parts of a running store. */
export interface Runtime {
  readonly service: string;
  readonly namespace: string;
  /** This replica, for this run. */
  readonly owner: string;
  readonly projections: readonly AnyProjection[];
  readonly database: Database;
  readonly events: EventStore;
  readonly snapshots: Snapshots;
  readonly consumers: Consumers;
  readonly cache: FoldCache;
  readonly progress: Progress;
  readonly projector: Projector;
  readonly parts: HandleParts;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: StoreMetrics;
  readonly stopped: AbortController;
  lease?: Lease;
  forgetting?: { stop(): void };
}

/** Retries until the servers are there; see `Store.start`. */
export async function startRuntime(runtime: Runtime): Promise<void> {
  const { progress, broadcast, namespace, service } = runtime;
  await untilAvailable(runtime, async () => {
    await progress.start();
    runtime.forgetting ??= await broadcast.subscribe(`${namespace}.${service}.erased`, (body) => runtime.cache.delete(Buffer.from(body).toString('utf8')));
    await prepare(runtime);
    await runtime.events.tail();
  });
  if (runtime.stopped.signal.aborted) return;
  const lease = startLease({
    consumers: runtime.consumers,
    names: runtime.projections.map(({ collection }) => collection),
    owner: runtime.owner,
    subject: `${namespace}.${service}.lease`,
    broadcast,
    clock: runtime.clock,
    logger: runtime.logger,
    metrics: runtime.metrics,
    changed: (grips) => void runtime.projector.changed(grips, lease),
  });
  runtime.lease = lease;
  await untilReady(runtime);
}

async function prepare({ database: { db }, projections, consumers }: Runtime): Promise<void> {
  await consumers.declare(projections.map(({ collection, fingerprint }) => ({ name: collection, fingerprint })));
  for (const { collection, indexes } of projections) await ensureIndexes(db, collection, indexes);
}

async function untilAvailable(runtime: Runtime, work: () => Promise<void>): Promise<void> {
  const { signal } = runtime.stopped;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
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

/** See `Store.stop`. Safe to call at any time, also before `start` has ended. */
export async function stopRuntime(runtime: Runtime): Promise<void> {
  runtime.stopped.abort();
  await runtime.projector.stop();
  await runtime.lease?.stop();
  runtime.progress.stop();
  runtime.forgetting?.stop();
  await runtime.snapshots.settled();
  await runtime.events.close();
  await runtime.database.close();
}
