import { createStore, type Broadcast, type Store } from '@scriptorium/event-sourcing';
import type { Messaging } from '@scriptorium/messaging';
import { storeGauges } from '../observability/gauges.js';
import { storeMetrics } from '../observability/metrics.js';
import type { Assembly } from './assemble.js';
import type { ServiceDefinition } from './domain.js';
import type { ServiceContext } from './service-context.js';
import type { ServiceConfig } from '../process/config.js';

/** Opens the store of a service. Nothing connects before it is started. */
export function openStore(
  { service }: ServiceDefinition,
  { projections, reactors, reservations, timers, runs }: Assembly,
  config: ServiceConfig,
  context: ServiceContext,
): Store {
  const { messaging, keys, logger, registry } = context;
  const store = createStore({
    service,
    namespace: config.NAMESPACE,
    eventstoreUrl: config.EVENTSTORE_URL,
    mongoUrl: config.MONGODB_URL,
    broadcast: broadcastOver(messaging),
    metrics: storeMetrics(registry, service),
    logger,
    recorded: (commit) => context.recorded(commit),
    projections,
    reactors,
    timers,
    runs,
    runsAtOnce: config.RUNS_AT_ONCE,
    reservations: { key: keys.reservation, kinds: reservations },
  });
  storeGauges(registry, service, store);
  return store;
}

function broadcastOver(messaging: Messaging): Broadcast {
  return {
    publish: (subject, body) => void messaging.publish(subject, body),
    async subscribe(subject, handler) {
      const subscription = await messaging.subscribe(subject, handler);
      return { stop: () => void subscription.unsubscribe() };
    },
  };
}
