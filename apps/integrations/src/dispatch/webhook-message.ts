import type { WebhookDelivery } from '../outbox/index.js';
import type { WebhookMessage } from './send-webhook.process.js';

/** What a webhook is sent: ids, by which the receiver asks the API for more. Pure. */
export function webhookMessage(delivery: WebhookDelivery): WebhookMessage {
  const { event: id, type, createdAt: timestamp, replay } = delivery;
  return {
    id,
    type,
    timestamp,
    data: webhookData(delivery),
    ...(replay === undefined ? {} : { delivery: { replay } }),
  };
}

/** The ids of what has happened. Pure. */
export function webhookData({ organization, target, revision }: WebhookDelivery) {
  return {
    organizationId: organization,
    ...(target?.kind === 'space' ? { spaceId: target.id } : {}),
    ...(target?.kind === 'site' ? { siteId: target.id } : {}),
    ...(revision === null ? {} : { revisionId: revision }),
  };
}
