import { defineDomain } from '@scriptorium/platform';
import { webhookAddresses } from './address.operational.js';
import { webhooks as documents } from './webhook.projection.js';
import { WebhooksController } from './webhooks.controller.js';

/** Addresses of organizations to which changes are sent. */
export const webhooks = defineDomain({
  name: 'webhooks',
  controllers: [WebhooksController],
  projections: [documents],
  indexes: webhookAddresses.indexes,
});
