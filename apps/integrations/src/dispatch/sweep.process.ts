import type { ServiceContext } from '@scriptorium/platform';
import { deliveries, deliveriesKeptMs, removeOldDeliveries, slots } from '../outbox/index.js';
import type { DispatchMetrics } from './metrics.process.js';
import { removeOldTraces } from './traces.operational.js';

const measureEveryMs = 10_000;
const removeEveryMs = 10 * 60_000;
const last = new WeakMap<object, { measured: number; removed: number }>();

/**
 * Measures how long deliveries wait, and removes old ones: now and then, by who plans. `holds`: whether this replica
 * may still do so.
 */
export async function sweepDeliveries(
  context: Pick<ServiceContext, 'database' | 'now'>,
  metrics: DispatchMetrics,
  holds: () => boolean,
): Promise<void> {
  const now = context.now();
  const before = last.get(metrics) ?? { measured: 0, removed: now - removeEveryMs + 60_000 };
  if (now - before.measured < measureEveryMs) return;
  const isOld = now - before.removed >= removeEveryMs;
  last.set(metrics, { measured: now, removed: isOld ? now : before.removed });
  // What is sent to webhooks may wait for hours until it is tried again.
  const ofScripts = { state: 'queued', slot: { $lt: slots } } as const;
  const [oldest] = await deliveries(context).find(ofScripts).sort({ at: 1 }).limit(1).toArray();
  metrics.oldest(oldest === undefined ? 0 : (now - oldest.at) / 1000);
  if (!isOld) return;
  while (holds() && (await removeOldDeliveries(context, now - deliveriesKeptMs)));
  while (holds() && (await removeOldTraces(context, now - deliveriesKeptMs)));
}
