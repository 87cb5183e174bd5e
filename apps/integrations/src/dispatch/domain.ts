import { defineDomain } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { Planner } from '../outbox/index.js';
import { AssetStore } from '../publishing/index.js';
import { RuntimeClient } from '../scripts/index.js';
import { Deliverer } from './deliver.process.js';
import { Dispatcher } from './dispatcher.process.js';
import { dispatchSettings } from './dispatch.settings.js';
import { createDispatchMetrics } from './metrics.process.js';
import { traceIndexes } from './traces.operational.js';

/** Delivers events to scripts. */
export const dispatch = defineDomain({
  name: 'dispatch',
  settings: dispatchSettings,
  objects: ({ context, settings: { DISPATCH_LANES: lanes }, use }) => {
    const metrics = createDispatchMetrics(context.registry);
    const deliverer = new Deliverer({
      context,
      addresses: use(Addresses),
      assets: use(AssetStore),
      runtime: use(RuntimeClient),
      metrics,
    });
    const { isThere: hasRuntime } = use(RuntimeClient);
    return [new Dispatcher({ context, planner: use(Planner), deliverer, metrics, lanes, hasRuntime })];
  },
  indexes: { ...traceIndexes, op_lanes: [], op_dispatch: [] },
});
