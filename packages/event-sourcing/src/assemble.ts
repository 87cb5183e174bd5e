import { type Aggregate, streamOf } from './aggregate.js';
import { localBroadcast } from './broadcast.js';
import { createConsumers } from './consumers.js';
import { openDatabase } from './database.js';
import { openEventStore } from './event-store.js';
import { type AnyEvent } from './events.js';
import { createFoldCache } from './folded.js';
import { type HandleParts, handleCommand } from './handle.js';
import { systemIds } from './ids.js';
import { maintenanceTask } from './maintenance.js';
import { silentLogger } from './observe.js';
import { openClaims } from './open-claims.js';
import { type StoreOptions } from './options.js';
import { createParkingLot } from './parked.js';
import { createProgress } from './progress.js';
import { createProjector } from './projector.js';
import { type Doing, contextOfEvent, contextOfTimer } from './reaction-context.js';
import { reactorTask } from './reactor-runner.js';
import { type Reservations, createReservations } from './reservations.js';
import { type Runtime } from './runtime.js';
import { createSnapshots } from './snapshots.js';
import { createKeyedQueue } from './stream-queue.js';
import { readFolded } from './stream-reader.js';
import { type Task, createTasks } from './tasks.js';
import { systemClock } from './time.js';
import { createTimers } from './timers.js';

const commandsPerStream = 1000;

/** Puts the parts of a store together; nothing connects and nothing runs yet. */
export function assemble(options: StoreOptions): Runtime {
  const base = foundation(options);
  const { db } = base.database;
  const consumers = createConsumers(db, base.clock);
  const parking = createParkingLot(db);
  const progress = createProgress({ ...base, names: base.projections.map(({ collection }) => collection), consumers, subject: `${base.namespace}.${base.service}.progress` });
  const projector = createProjector({ ...base, db, consumers, progress });
  const doing: Doing = {
    handle: (aggregate, id, context, decide) => handleCommand(base.handleParts, aggregate, id, context, decide),
    schedule: (timer) => timers.schedule(timer),
  };
  const timers = createTimers({ ...base, db, handlers: options.timers ?? {}, contextOf: (timer) => contextOfTimer(doing, timer) });
  const reservations = reservationsOf(options, base, doing);
  const reactors = options.reactors ?? [];
  const running: Task[] = [
    ...reactors.map((reactor) => reactorTask({ ...base, consumers, parking, contextOf: (name, event) => contextOfEvent(doing, name, event) }, reactor)),
    ...(options.timers === undefined ? [] : [timers.task]),
    maintenanceTask({ ...base, db, consumers, reservations }),
  ];
  const tasks = createTasks(running);
  const taskNames = running.map(({ name }) => name);
  const run = { stopped: new AbortController(), requested: new Set<Promise<unknown>>(), starting: Promise.resolve() };
  return { ...base, ...run, reactors, consumers, progress, projector, tasks, taskNames, parking, timers, reservations };
}

type Foundation = Pick<
  Runtime,
  'service' | 'namespace' | 'owner' | 'projections' | 'database' | 'events' | 'snapshots' | 'cache' | 'handleParts' | 'broadcast' | 'clock' | 'logger' | 'metrics'
>;

function foundation(options: StoreOptions): Foundation {
  const { service, namespace, broadcast = localBroadcast(), clock = systemClock, ids = systemIds, metrics = {}, logger = silentLogger } = options;
  const database = openDatabase(options.mongoUrl, `${namespace}_${service}`);
  const events = openEventStore(options.eventstoreUrl);
  const snapshots = createSnapshots(database.db, logger);
  const cache = createFoldCache();
  const handleParts: HandleParts = { namespace, events, snapshots, cache, queue: createKeyedQueue(commandsPerStream), clock, ids, metrics };
  const projections = [...(options.projections ?? []), ...(options.reservations === undefined ? [] : [openClaims])];
  return { service, namespace, owner: ids.uuid(), projections, database, events, snapshots, cache, handleParts, broadcast, clock, logger, metrics };
}

function reservationsOf(options: StoreOptions, { service, namespace, events, snapshots, clock, logger }: Foundation, doing: Doing): Reservations {
  const { key = new Uint8Array(), kinds = [] } = options.reservations ?? {};
  if (options.reservations !== undefined && key.length < 32) throw new RangeError('the key of reservations needs at least 32 bytes');
  const load = async <State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State> =>
    (await readFolded(events, snapshots, aggregate, streamOf(namespace, aggregate, id))).state;
  return createReservations({ service, secret: key, kinds, clock, logger, handle: (...args) => doing.handle(...args), load });
}
