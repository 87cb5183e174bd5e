import { type Aggregate } from '../aggregates/aggregate.js';
import { streamOf, consumedPrefixes } from '../events/streams.js';
import { localBroadcast } from '../process/broadcast.js';
import { createCheckpoints } from '../leases/checkpoints.js';
import { type Consumers, createConsumers } from '../leases/consumers.js';
import { openDatabase } from '../database/database.js';
import { openLog } from '../events/log-offset.js';
import { type AnyEvent, type CommandContext } from '../events/events.js';
import { createFoldCache, createSnapshots, readFolded } from '../aggregates/folded.js';
import { type HandleParts } from '../commands/command.js';
import { handler } from '../commands/handle.js';
import { systemIds } from '../process/ids.js';
import { maintenanceTask } from './maintenance.js';
import { silentLogger } from '../process/observe.js';
import { eraseStream } from './erase-stream.js';
import { readModels } from '../read-models/read-model.js';
import { openClaims } from '../reservations/open-claims.js';
import { reservationEvents } from '../reservations/reservation.js';
import { type StoreOptions } from './options.js';
import { createParkingLot } from '../reactors/parked.js';
import { type Waits, createWaits } from '../projections/wait.js';
import { type Progress, createProgress } from '../projections/progress.js';
import { createProjector } from '../projections/projector.js';

import { type ScopeParts, StoreScope } from '../commands/store-scope.js';
import { createLiveFeed } from '../events/live-feed.js';
import { reactorTask } from '../reactors/reactor-runner.js';
import { type Reservations, createReservations } from '../reservations/reservations.js';
import { assembleRuns } from '../runs/engine/assemble-runs.js';
import { type Runtime } from './runtime.js';
import { createTasks } from '../leases/tasks.js';
import { systemClock } from '../process/time.js';
import { createTimers } from '../timers/timers.js';

/** Puts the parts of a store together; nothing connects and nothing runs yet. */
export function assemble(options: StoreOptions): Runtime {
  const base = foundation(options);
  const { db } = base.database;
  const consumers = createConsumers(db, base.clock);
  const parking = createParkingLot(db);
  const progress = progressOf(base, consumers);
  const checkpoints = createCheckpoints({ ...base, consumers });
  const feed = createLiveFeed(base.events, () => consumedPrefixes(base, [...base.projections, ...reactors]));
  const projector = createProjector({ ...base, db, consumers, progress, checkpoints, feed });
  const model = readModels({ ...base, db, progress, projector });
  const later = { reservations: () => reservations, runs: () => running.runCommands };
  const schedule: ScopeParts['schedule'] = (timer) => timers.schedule(timer);
  const scopes: ScopeParts = { ...streamParts(base), ...waitsOf(base, progress), ...later, schedule, model };
  // What follows from an event does not wait for projections: nobody reads its answer.
  const scopeOf = (context: CommandContext): StoreScope => new StoreScope(scopes, { context, waits: false });
  const timers = createTimers({ ...base, db, handlers: options.timers ?? {}, scopeOf });
  const reservations = reservationsOf(options, base, scopeOf);
  const running = assembleRuns({ ...base, db, scopes }, options);
  const reactors = [...(options.reactors ?? []), ...running.runReactors];
  const competing = [
    ...reactors.map((reactor) => reactorTask({ ...base, consumers, checkpoints, parking, scopeOf, feed }, reactor)),
    ...(options.timers === undefined ? [] : [timers.task]),
    maintenanceTask({ ...base, db, consumers, reservations }),
  ];
  const tasks = { tasks: createTasks(competing), taskNames: competing.map(({ name }) => name) };
  return {
    ...base,
    reactors,
    consumers,
    progress,
    projector,
    ...tasks,
    parking,
    timers,
    runs: running.runs,
    runEngine: running.runEngine,
    reservations,
    scopes,
  };
}

function progressOf(base: Foundation, consumers: Consumers): Progress {
  const names = base.projections.map(({ collection }) => collection);
  return createProgress({ ...base, names, consumers, subject: `${base.namespace}.${base.service}.progress` });
}

function waitsOf(base: Foundation, progress: Progress): Waits {
  return createWaits({ ...base, progress, ownTypes: reservationEvents.types });
}

/** What of a scope reads and writes streams. */
function streamParts(base: Foundation): Pick<ScopeParts, 'handle' | 'load' | 'erase'> {
  return {
    handle: handler(base.handleParts),
    load: (aggregate, id) => load(base, aggregate, id),
    erase: (aggregate, id) => eraseStream(base, streamOf(base.namespace, aggregate, id)),
  };
}

type Foundation = Pick<
  Runtime,
  | 'service'
  | 'namespace'
  | 'owner'
  | 'projections'
  | 'database'
  | 'events'
  | 'snapshots'
  | 'cache'
  | 'handleParts'
  | 'broadcast'
  | 'clock'
  | 'logger'
  | 'metrics'
  | 'stopped'
  | 'requested'
  | 'starting'
>;

function foundation(options: StoreOptions): Foundation {
  const { service, namespace, recorded = () => undefined } = options;
  const { broadcast = localBroadcast(), logger = silentLogger, metrics = {} } = options;
  const { clock = systemClock, ids = systemIds } = options;
  const database = openDatabase(options.mongoUrl, `${namespace}_${service}`);
  const events = openLog(options.eventstoreUrl, namespace, { logger });
  const snapshots = createSnapshots(database.db, logger);
  const cache = createFoldCache();
  const handleParts: HandleParts = { namespace, events, snapshots, cache, clock, ids, metrics, recorded };
  const projections = [...(options.projections ?? []), ...(options.reservations === undefined ? [] : [openClaims])];
  return {
    service,
    namespace,
    owner: ids.uuid(),
    projections,
    database,
    events,
    snapshots,
    cache,
    handleParts,
    broadcast,
    clock,
    logger,
    metrics,
    stopped: new AbortController(),
    requested: new Set(),
    starting: Promise.resolve(),
  };
}

function reservationsOf(
  options: StoreOptions,
  base: Foundation,
  scopeOf: (context: CommandContext) => StoreScope,
): Reservations {
  const { key = new Uint8Array(), kinds = [] } = options.reservations ?? {};
  if (options.reservations !== undefined && key.length < 32)
    throw new RangeError('the key of reservations needs at least 32 bytes');
  const { service, clock, logger } = base;
  const actor = { kind: 'system', id: 'reservations' };
  return createReservations({
    service,
    secret: key,
    kinds,
    clock,
    logger,
    repairScope: (correlation) => scopeOf({ actor, organization: null, operation: 'settleReservation', correlation }),
    load: (aggregate, id) => load(base, aggregate, id),
  });
}

/** The present state of a stream, read from the log. */
async function load<State, E extends AnyEvent>(
  { events, snapshots, namespace }: Pick<Runtime, 'events' | 'snapshots' | 'namespace'>,
  aggregate: Aggregate<State, E>,
  id: string,
): Promise<State> {
  return (await readFolded(events, snapshots, aggregate, streamOf(namespace, aggregate, id))).state;
}
