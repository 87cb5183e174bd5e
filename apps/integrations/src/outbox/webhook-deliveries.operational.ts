import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import { deliveryOf, slotOf, slots, type AnyDelivery, type WebhookDelivery } from './deliveries.operational.js';
import type { PlannedForWebhook } from './receivers.js';

/** Each webhook has a queue of its own, as installations have. */
const webhookQueue = 'webhook-';

/** What waits, and what was delivered: to installations, and to webhooks. */
export function allDeliveries({ database }: Pick<ServiceContext, 'database'>): Collection<AnyDelivery> {
  return database.collection<AnyDelivery>('op_deliveries');
}

/** What was sent to webhooks, or waits to be. */
export function webhookDeliveries({ database }: Pick<ServiceContext, 'database'>): Collection<WebhookDelivery> {
  return database.collection<WebhookDelivery>('op_deliveries');
}

/** The queue of a webhook. */
export function queueOf(webhook: string): string {
  return `${webhookQueue}${webhook}`;
}

export function isForWebhook(one: AnyDelivery): one is WebhookDelivery {
  return one.slot >= slots;
}

/** The webhook to which something is sent. */
export function webhookOf({ installation }: WebhookDelivery): string {
  return installation.slice(webhookQueue.length);
}

/** A delivery to a webhook as it is planned at `now`. `happenedAt`: ISO 8601. */
export function webhookDelivery(
  { webhook, organization, type, target, revision }: PlannedForWebhook,
  { position, happenedAt }: { position: number; happenedAt: string },
  now: number,
): WebhookDelivery {
  const installation = queueOf(webhook);
  // Those of an organization share what is sent at once.
  const integration = `webhooks-${organization}`;
  const planned = { integration, installation, organization, type, target, revision: revision ?? undefined };
  return { ...deliveryOf(planned, position, now), slot: slots + slotOf(installation), createdAt: happenedAt };
}

/** A test of a webhook, as it is recorded: it is sent at once, and not again. */
export function testDelivery(
  { webhook, organization, event }: { webhook: string; organization: string; event: string },
  now: number,
): WebhookDelivery {
  const installation = queueOf(webhook);
  const integration = `webhooks-${organization}`;
  const test = deliveryOf({ integration, installation, organization, type: 'test' as const }, 0, now);
  return { ...test, _id: `test:${event}`, event, slot: slots + slotOf(installation), attempts: 1 };
}
