export { webhookAddresses } from './address.operational.js';
export { secretsOf } from './secret.process.js';
export { close, disable, webhooksOf } from './webhook.js';
export { webhookEvents } from './webhook.events.js';
export { webhooks } from './webhook.projection.js';
export { requireWebhook, type StoredWebhook } from './webhooks.queries.js';
