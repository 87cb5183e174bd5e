import { defineDomain } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { TunnelClient } from '../dev-mode/index.js';
import { Planner } from '../outbox/index.js';
import { AssetStore } from '../publishing/index.js';
import { RuntimeClient } from '../scripts/index.js';
import { CallScript } from './call-script.process.js';
import { Deliverer } from './deliver.process.js';
import { WebhookDeliverer } from './deliver-webhook.process.js';
import { Dispatcher } from './dispatcher.process.js';
import { dispatchSettings } from './dispatch.settings.js';
import { createDispatchMetrics } from './metrics.process.js';
import { traceIndexes } from './traces.operational.js';

/** Delivers events to scripts and webhooks. */
export const dispatch = defineDomain({
  name: 'dispatch',
  settings: dispatchSettings,
  objects: ({ context, settings: { DISPATCH_LANES: lanes }, use }) => {
    const metrics = createDispatchMetrics(context.registry);
    const runtime = use(RuntimeClient);
    const parts = { context, addresses: use(Addresses), assets: use(AssetStore), runtime, tunnels: use(TunnelClient) };
    const deliverer = new Deliverer({ ...parts, metrics });
    const webhooks = new WebhookDeliverer({ context, metrics });
    const { isThere: hasRuntime } = runtime;
    return [
      new Dispatcher({ context, planner: use(Planner), deliverer, webhooks, metrics, lanes, hasRuntime }),
      new CallScript(parts),
    ];
  },
  indexes: { ...traceIndexes, op_lanes: [], op_dispatch: [] },
});
