import type { WebhookDisabling } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { disable, webhooksOf } from '../webhooks/index.js';
import type { WebhookDelivery } from './deliveries.operational.js';
import { webhookOf } from './webhook-deliveries.operational.js';

/** Disables the webhook of a delivery. Whether it was not disabled before. */
export async function handleDisabling(
  store: StoreScope,
  delivery: WebhookDelivery,
  reason: WebhookDisabling,
): Promise<boolean> {
  const { organization } = delivery;
  const webhook = webhookOf(delivery);
  const { events } = await store
    .in(organization)
    .step(`disable:${webhook}:${reason}`)
    .handle(webhooksOf, organization, (state) => disable(state, webhook, reason));
  return events.length > 0;
}
