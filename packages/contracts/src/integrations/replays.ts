import * as z from 'zod';
import { Id, Moment, Timestamp, Url } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { runFields } from '../kernel/run.js';
import { installationParams } from './integration.js';
import { webhookEventTypes } from './webhook-events.js';

/** Types of events that an installation can be sent again. Ends are told once, and visits are not stored. */
export const replayedTypes = [
  'installation_setup',
  'space_installation_setup',
  'site_installation_setup',
  'space_content_updated',
  'space_visibility_updated',
] as const;

const replay = z
  .object({
    object: z.literal('delivery-replay'),
    ...runFields,
    from: Timestamp,
    to: Timestamp,
    types: z.array(z.enum([...replayedTypes, ...webhookEventTypes])),
    urls: z.object({ location: Url }),
  })
  .meta({
    id: 'DeliveryReplay',
    description: '`progress.done`: what was queued so far. Kept for 7 days after its end.',
  });

/** An answer with a name of its own: written out in each operation its type would be too long for the compiler. */
export interface DeliveryReplay extends z.input<typeof replay> {
  object: 'delivery-replay';
}
export interface ShownDeliveryReplay extends z.output<typeof replay> {
  object: 'delivery-replay';
}
export const DeliveryReplay: z.ZodType<ShownDeliveryReplay, DeliveryReplay> = replay;

const time = {
  from: Moment.meta({ description: 'From when on, at most 30 days ago.' }),
  to: Moment.optional().meta({ description: 'Until when; now, unless given.' }),
};
const sent = 'at most 20 a second, under the ids that it had, with `delivery.replay`';

const ofWebhooks = {
  service: 'integrations',
  tag: 'Webhooks',
  path: '/orgs/{organizationId}/webhooks/{webhookId}/replay',
  access: { resource: 'organization', view: ['guest'], allow: ['admin'] },
  params: z.object({ organizationId: Id, webhookId: Id }),
} as const;

export const startOrganizationWebhookReplay = operation({
  ...ofWebhooks,
  id: 'startOrganizationWebhookReplay',
  method: 'POST',
  summary: `Begin to send a webhook again what has happened since it was created: ${sent}`,
  body: z.object({
    ...time,
    types: z.array(z.enum(webhookEventTypes)).min(1).max(webhookEventTypes.length).optional().meta({
      description: 'Only these of the events that it is sent.',
    }),
  }),
  response: DeliveryReplay,
  status: 202,
  reasons: ['not_found', 'conflict', 'limit_reached'],
  dryRun: false,
});

export const getOrganizationWebhookReplay = operation({
  ...ofWebhooks,
  id: 'getOrganizationWebhookReplay',
  method: 'GET',
  summary: 'Get the latest replay of a webhook',
  response: DeliveryReplay,
  reasons: ['not_found'],
});

export const cancelOrganizationWebhookReplay = operation({
  ...ofWebhooks,
  id: 'cancelOrganizationWebhookReplay',
  method: 'DELETE',
  summary: 'Cancel the replay of a webhook; what is queued is sent',
});

const ofInstallations = {
  service: 'integrations',
  tag: 'Installations of integrations',
  path: '/integrations/{integrationName}/installations/{installationId}/replay',
  params: z.object(installationParams),
} as const;
const installed = {
  resource: 'integration_installation',
  view: ['guest', 'operator'],
  allow: ['admin', 'operator'],
} as const;
const reading = { ...installed, scope: 'integration:installations:read' } as const;
const writing = { ...installed, scope: 'integration:installations:write' } as const;

export const startIntegrationInstallationReplay = operation({
  ...ofInstallations,
  id: 'startIntegrationInstallationReplay',
  method: 'POST',
  summary: `Begin to deliver an installation again what has happened in what it reaches: ${sent}`,
  access: writing,
  body: z.object({
    ...time,
    types: z.array(z.enum(replayedTypes)).min(1).max(replayedTypes.length).optional().meta({
      description: 'Only events of these types.',
    }),
    version: z.int().min(1).optional().meta({ description: 'Refused when another version of the script is present.' }),
  }),
  response: DeliveryReplay,
  status: 202,
  reasons: ['conflict', 'limit_reached'],
  dryRun: false,
});

export const getIntegrationInstallationReplay = operation({
  ...ofInstallations,
  id: 'getIntegrationInstallationReplay',
  method: 'GET',
  summary: 'Get the latest replay of an installation',
  access: reading,
  response: DeliveryReplay,
  reasons: ['not_found'],
});

export const cancelIntegrationInstallationReplay = operation({
  ...ofInstallations,
  id: 'cancelIntegrationInstallationReplay',
  method: 'DELETE',
  summary: 'Cancel the replay of an installation; what is queued is delivered',
  access: writing,
});
