import * as z from 'zod';
import { Id, listOf, Location, paging, text, Timestamp, Url } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { webhookDisablings, webhookEventTypes } from './webhook-events.js';

/** Bounds of webhooks. */
export const webhookBounds = {
  /** Of an organization. */
  webhooks: 20,
  /** Characters of a name. */
  name: 100,
  /** Bytes that are kept of what a receiver answers. */
  answerBytes: 1024,
} as const;

const EventTypes = z
  .array(z.enum(webhookEventTypes))
  .min(1)
  .max(webhookEventTypes.length)
  .meta({
    description:
      'Of what it tells: `space_content_updated` when the main content of a space has changed after it was added; ' +
      '`space_added` and `site_added` when one was created, restored or moved into the organization; `space_removed` ' +
      'and `site_removed` when one was deleted or moved out of it.',
  });
const Address = Url.meta({
  description:
    'Where it is sent: an address with https. It may have http where `OUTBOUND_ALLOWED_NETWORKS` allows its IP address.',
});
const Name = text(1, webhookBounds.name);

export const Webhook = z
  .object({
    object: z.literal('webhook'),
    id: Id,
    name: z.string().optional(),
    url: z.url().optional().meta({ description: 'Missing in the answer to a repeated request alone.' }),
    events: EventTypes,
    status: z.enum(['active', 'disabled']),
    disabledAt: Timestamp.optional(),
    disabledReason: z.enum(webhookDisablings).optional().meta({
      description:
        'Why it is disabled: an admin wished so, nothing has arrived for 5 days, or too many deliveries waited.',
    }),
    createdAt: Timestamp,
    secretRotatedAt: Timestamp.optional().meta({ description: 'The secret before it counts for 24 hours longer.' }),
    urls: Location,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof Webhook>;

export const WebhookWithSecret = z
  .object({
    ...Webhook.shape,
    secret: z
      .string()
      .optional()
      .meta({ description: 'Signs what is sent. Shown this once: a repetition of the request answers without it.' }),
  })
  .meta({ id: 'WebhookWithSecret' });

const base = { service: 'integrations', tag: 'Webhooks' } as const;
const access = { resource: 'organization', view: ['guest'], allow: ['admin'] } as const;
const params = z.object({ organizationId: Id });
const one = z.object({ organizationId: Id, webhookId: Id });
const path = '/orgs/{organizationId}/webhooks';
const onePath = `${path}/{webhookId}` as const;

export const listOrganizationWebhooks = operation({
  ...base,
  id: 'listOrganizationWebhooks',
  method: 'GET',
  path,
  summary: 'List the webhooks of an organization, newest first',
  access,
  params,
  query: z.object(paging),
  response: listOf(Webhook),
});

export const createOrganizationWebhook = operation({
  ...base,
  id: 'createOrganizationWebhook',
  method: 'POST',
  path,
  summary: 'Create a webhook, by which changes are sent to an address; its secret is shown this once',
  access,
  params,
  body: z.object({ url: Address, events: EventTypes, name: Name.optional() }),
  response: WebhookWithSecret,
  status: 201,
  reasons: ['limit_reached'],
  secret: ['secret', 'url'],
});

export const getOrganizationWebhook = operation({
  ...base,
  id: 'getOrganizationWebhook',
  method: 'GET',
  path: onePath,
  summary: 'Get a webhook',
  access,
  params: one,
  response: Webhook,
  reasons: ['not_found'],
});

export const updateOrganizationWebhook = operation({
  ...base,
  id: 'updateOrganizationWebhook',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a webhook, disable it, or enable it again',
  access,
  params: one,
  body: z.object({
    url: Address.optional(),
    events: EventTypes.optional(),
    name: Name.nullable().optional(),
    status: z.enum(['active', 'disabled']).optional().meta({
      description: 'What happens while it is disabled is not sent later.',
    }),
  }),
  response: Webhook,
  reasons: ['not_found'],
  secret: ['url'],
});

export const deleteOrganizationWebhook = operation({
  ...base,
  id: 'deleteOrganizationWebhook',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a webhook, and what is known of its deliveries',
  access,
  params: one,
});

export const rotateOrganizationWebhookSecret = operation({
  ...base,
  id: 'rotateOrganizationWebhookSecret',
  method: 'POST',
  path: `${onePath}/rotate`,
  summary: 'Give a webhook a new secret, which is shown this once; for 24 hours both sign what is sent',
  access,
  params: one,
  response: WebhookWithSecret,
  reasons: ['not_found'],
  secret: ['secret', 'url'],
});
