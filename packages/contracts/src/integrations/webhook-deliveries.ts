import * as z from 'zod';
import { Id, listOf, paging, Timestamp } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { webhookEventTypes } from './webhook-events.js';

const answered = {
  durationMs: z.number(),
  status: z.int().optional().meta({ description: 'What the receiver answered.' }),
  reason: z.string().optional().meta({ description: 'Why there was no answer.' }),
  answer: z.string().optional().meta({ description: 'The first 1024 bytes of what the receiver answered.' }),
};

export const WebhookDelivery = z
  .object({
    id: Id.meta({ description: 'Sent as `webhook-id`, the same at each attempt.' }),
    type: z.enum([...webhookEventTypes, 'test']),
    timestamp: Timestamp.meta({ description: 'When it happened.' }),
    data: z.object({
      organizationId: Id,
      spaceId: Id.optional(),
      siteId: Id.optional(),
      revisionId: Id.optional(),
    }),
    status: z.enum(['queued', 'success', 'failed']).meta({
      description: '`queued`: it is to be sent, or to be sent again.',
    }),
    reason: z.string().optional().meta({
      description: 'Why the last attempt has failed: `status_<status>`, `no_answer`, or `disabled` without an attempt.',
    }),
    nextAttemptAt: Timestamp.optional(),
    replay: Id.optional().meta({ description: 'The replay that has queued it.' }),
    attempts: z.array(z.object({ at: Timestamp, ...answered })),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookTest = z
  .object({ id: Id, succeeded: z.boolean(), ...answered })
  .meta({ id: 'WebhookTest', description: 'What came back of a test event.' });

const base = { service: 'integrations', tag: 'Webhooks' } as const;
const access = { resource: 'organization', view: ['guest'], allow: ['admin'] } as const;
const params = z.object({ organizationId: Id, webhookId: Id });

export const testOrganizationWebhook = operation({
  ...base,
  id: 'testOrganizationWebhook',
  method: 'POST',
  path: '/orgs/{organizationId}/webhooks/{webhookId}/test',
  summary: 'Send an event of the type `test` to a webhook now, also to a disabled one, and answer what came back',
  access,
  params,
  response: WebhookTest,
  reasons: ['not_found'],
  dryRun: false,
  deadlineMs: 20_000,
});

export const listOrganizationWebhookDeliveries = operation({
  ...base,
  id: 'listOrganizationWebhookDeliveries',
  method: 'GET',
  path: '/orgs/{organizationId}/webhooks/{webhookId}/deliveries',
  summary: 'List what was sent to a webhook in the last 30 days, or waits to be, the newest first',
  access,
  params,
  query: z.object(paging),
  response: listOf(WebhookDelivery),
  reasons: ['not_found'],
});

export const redeliverOrganizationWebhookDelivery = operation({
  ...base,
  id: 'redeliverOrganizationWebhookDelivery',
  method: 'POST',
  path: '/orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  summary: 'Send something to a webhook again, under the same id, to its present address; it is queued',
  access,
  params: z.object({ ...params.shape, deliveryId: Id }),
  response: WebhookDelivery,
  status: 202,
  reasons: ['not_found', 'conflict'],
  dryRun: false,
});
