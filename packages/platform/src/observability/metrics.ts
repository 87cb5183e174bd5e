import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { StoreMetrics } from '@scriptorium/event-sourcing';
import type { ChildMetrics } from '../workers/child-pool.js';
import type { WorkerMetrics } from '../workers/worker-pool.js';

export { Registry };

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * How often Node measures the lag of the event loop, ms. Each time wakes the process: the default of 10 is most of what
 * an idle one costs. The lag that is told includes this interval.
 */
const lagEveryMs = 100;

/** Creates the registry of one process. Every app of the process uses its own `service` label. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagEveryMs });
  return registry;
}

/** Finds or creates a metric of the registry, so that several apps of a process share it. */
function shared<M>(registry: Registry, name: string, make: () => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make();
}

export interface RequestMetrics {
  /** Counts one answered request; `outcome` is `ok` or the reason it was refused for. */
  observe(this: void, answer: { operation: string; outcome: string; milliseconds: number }): void;
}

/** Rate, errors and duration of each operation. */
export function requestMetrics(registry: Registry, service: string): RequestMetrics {
  const duration = shared(
    registry,
    'scriptorium_request_duration_seconds',
    () =>
      new Histogram({
        name: 'scriptorium_request_duration_seconds',
        help: 'Time from the arrival of a request to its answer',
        labelNames: ['service', 'operation', 'outcome'],
        buckets: seconds,
        registers: [registry],
      }),
  );
  return {
    observe: ({ operation, outcome, milliseconds }) =>
      duration.observe({ service, operation, outcome }, milliseconds / 1000),
  };
}

/** The metrics of the worker pool. It works for all services of the process, so they have no `service` label. */
export function workerMetrics(registry: Registry): WorkerMetrics {
  const tasks = new Gauge({
    name: 'scriptorium_worker_tasks',
    help: 'Tasks that wait for a thread, and that run in one',
    labelNames: ['state'],
    registers: [registry],
  });
  const threads = new Gauge({
    name: 'scriptorium_worker_threads',
    help: 'Threads that are there',
    registers: [registry],
  });
  const ended = new Counter({
    name: 'scriptorium_worker_tasks_total',
    help: 'Tasks that have ended, by how they did',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  });
  return {
    state({ queued, running }, count) {
      tasks.set({ state: 'queued' }, queued);
      tasks.set({ state: 'running' }, running);
      threads.set(count);
    },
    ended: (task, outcome) => ended.inc({ task, outcome }),
  };
}

/** The metrics of processes that tasks run in. */
export function childMetrics(registry: Registry): ChildMetrics {
  const tasks = shared(
    registry,
    'scriptorium_child_tasks',
    () =>
      new Gauge({
        name: 'scriptorium_child_tasks',
        help: 'Tasks that wait for a process of their own, and that run in one',
        labelNames: ['state'],
        registers: [registry],
      }),
  );
  const ended = shared(
    registry,
    'scriptorium_child_tasks_total',
    () =>
      new Counter({
        name: 'scriptorium_child_tasks_total',
        help: 'Tasks in processes of their own that have ended, by how they did',
        labelNames: ['task', 'outcome'],
        registers: [registry],
      }),
  );
  return {
    state({ queued, running }) {
      tasks.set({ state: 'queued' }, queued);
      tasks.set({ state: 'running' }, running);
    },
    ended: (task, outcome) => ended.inc({ task, outcome }),
  };
}

/** A counter of the registry with a `service` label and one more. */
export function counter(registry: Registry, name: string, help: string, label: string): Counter {
  return shared(
    registry,
    name,
    () => new Counter({ name, help, labelNames: ['service', label], registers: [registry] }),
  );
}

/** A gauge of the registry with a `service` label and one more. */
export function gauge(registry: Registry, name: string, help: string, label: string): Gauge {
  return shared(registry, name, () => new Gauge({ name, help, labelNames: ['service', label], registers: [registry] }));
}

/** The metrics of event sourcing. */
export function storeMetrics(registry: Registry, service: string): StoreMetrics {
  const of = (name: string, help: string, label: string) => counter(registry, `scriptorium_${name}`, help, label);
  const appended = of('events_appended_total', 'Events appended', 'entity');
  const conflicts = of('append_conflicts_total', 'Appends that met a newer revision', 'entity');
  const exceeded = of('read_your_writes_exceeded_total', 'Writes answered before the projections showed them', 'kind');
  const projected = of('events_projected_total', 'Events written by a projection', 'projection');
  const stopped = of(
    'projections_stopped_total',
    'Times a projection stopped at an event it cannot read',
    'projection',
  );
  const parked = of('events_parked_total', 'Events that a reactor gave up', 'reactor');
  const ended = of('runs_ended_total', 'Runs that ended', 'outcome');
  const failed = of('run_steps_failed_total', 'Steps of runs that failed', 'kind');
  const active = gauge(registry, 'scriptorium_runs', 'Runs that this process works on', 'state');
  const lag = gauge(
    registry,
    'scriptorium_projection_lag_seconds',
    'Age of the last event when it was projected',
    'projection',
  );
  return {
    appended: (entity, events) => appended.inc({ service, entity }, events),
    conflict: (entity) => conflicts.inc({ service, entity }),
    waitExceeded: () => exceeded.inc({ service, kind: 'wait' }),
    projected(projection, events, lagMs) {
      projected.inc({ service, projection }, events);
      lag.set({ service, projection }, lagMs / 1000);
    },
    stopped: (projection) => stopped.inc({ service, projection }),
    runsActive: (count) => active.set({ service, state: 'active' }, count),
    runStepFailed: (kind) => failed.inc({ service, kind }),
    runEnded: (_kind, outcome) => ended.inc({ service, outcome }),
    parked: (reactor) => parked.inc({ service, reactor }),
  };
}
