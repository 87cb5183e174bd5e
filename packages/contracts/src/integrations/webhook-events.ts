import * as z from 'zod';

/** Of what webhooks tell. */
export const webhookEventTypes = [
  'space_content_updated',
  'space_added',
  'space_removed',
  'site_added',
  'site_removed',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Why nothing is sent to a webhook any more: somebody wished so, nothing arrived for days, or too much waited. */
export const webhookDisablings = ['admin', 'failures', 'queue_full'] as const;
export type WebhookDisabling = (typeof webhookDisablings)[number];

const id = z.string();
const types = z.array(z.enum(webhookEventTypes));

/**
 * Stream `integrations.webhooks-<organization>`: the webhooks of an organization. Addresses may hold secrets, so they
 * are stored encrypted and stand in no event: `address` names one.
 */
export const webhookEventSchemas = {
  WebhookCreated: z.object({ webhook: id, name: z.string().nullable(), address: id, events: types }),
  WebhookRenamed: z.object({ webhook: id, name: z.string().nullable() }),
  /** It is sent to another address from here on. `replaced`: what named the one before. */
  WebhookAddressChanged: z.object({ webhook: id, address: id, replaced: id }),
  WebhookEventsChanged: z.object({ webhook: id, events: types }),
  /** It is signed with another secret. The one before counts for a day. `generation`: how often that has happened. */
  WebhookSecretRotated: z.object({ webhook: id, generation: z.int() }),
  WebhookDisabled: z.object({ webhook: id, reason: z.enum(webhookDisablings) }),
  WebhookEnabled: z.object({ webhook: id }),
  WebhookDeleted: z.object({ webhook: id, reason: z.enum(['deleted', 'organization_deleted']) }),
  /** The organization was deleted, and has no webhooks any more. */
  WebhooksClosed: z.object({}),
};
