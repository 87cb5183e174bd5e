import type { StoreMetrics } from '@scriptorium/event-sourcing';
import { counter, gauge, type Registry } from './metrics.js';

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
