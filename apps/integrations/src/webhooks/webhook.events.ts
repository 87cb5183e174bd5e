import { webhookEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventDataOf, type EventOf } from '@scriptorium/event-sourcing';

export const webhookEvents = defineEvents(webhookEventSchemas);
export type WebhookEvent = EventOf<typeof webhookEvents>;
/** A webhook as it began. */
export type NewWebhook = EventDataOf<WebhookEvent, 'WebhookCreated'>;
