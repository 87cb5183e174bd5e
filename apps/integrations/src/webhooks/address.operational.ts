import { sealedTexts } from '@scriptorium/platform';

/** The addresses of webhooks, by the webhook: they may hold secrets. */
export const webhookAddresses = sealedTexts({ collection: 'op_webhooks', owner: 'webhook' });
