import type { Registry } from '@scriptorium/platform';
import { counter, gauge } from '@scriptorium/platform/metrics';

/** What is counted of deliveries. */
export interface DispatchMetrics {
  attempted(outcome: string): void;
  sent(outcome: 'success' | 'failed'): void;
  paused(reason: string): void;
  lanes(state: 'all' | 'held', count: number): void;
  oldest(seconds: number): void;
}

export function createDispatchMetrics(registry: Registry): DispatchMetrics {
  const service = 'integrations';
  const attempts = counter(
    registry,
    'scriptorium_delivery_attempts_total',
    'Attempts to deliver events to scripts of integrations',
    'outcome',
  );
  const sent = counter(
    registry,
    'scriptorium_webhook_attempts_total',
    'Attempts to send events to webhooks',
    'outcome',
  );
  const paused = counter(
    registry,
    'scriptorium_installations_paused_total',
    'Installations that were paused',
    'reason',
  );
  const lanes = gauge(
    registry,
    'scriptorium_delivery_lanes',
    'Lanes of deliveries: all, and those of this process',
    'state',
  );
  const oldest = gauge(registry, 'scriptorium_delivery_age_seconds', 'How long the oldest delivery waits', 'state');
  return {
    attempted: (outcome) => attempts.inc({ service, outcome }),
    sent: (outcome) => sent.inc({ service, outcome }),
    paused: (reason) => paused.inc({ service, reason }),
    lanes: (state, count) => lanes.set({ service, state }, count),
    oldest: (seconds) => oldest.set({ service, state: 'queued' }, seconds),
  };
}
