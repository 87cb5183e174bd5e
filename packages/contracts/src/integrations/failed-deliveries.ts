import * as z from 'zod';
import { Id, listOf, paging, Timestamp } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { integrationEventTypes } from './deliveries.js';
import { IntegrationName } from './integration.js';
import { webhookEventTypes } from './webhook-events.js';

/** What was to be delivered and is not tried any more, without what it says: ids and the host of a webhook alone. */
export const FailedDelivery = z
  .object({
    object: z.literal('failed-delivery'),
    id: Id.meta({ description: 'The id of the event, as the script or the receiver knows it.' }),
    organization: Id,
    integration: IntegrationName.optional(),
    installation: Id.optional().meta({ description: 'Of an integration; without it, it was for a webhook.' }),
    webhook: z
      .object({ id: Id, host: z.string().optional().meta({ description: 'Of its present address.' }) })
      .optional(),
    type: z.enum([...integrationEventTypes, ...webhookEventTypes]).exclude(['task']),
    createdAt: Timestamp,
    attempts: z.int().min(0),
    reason: z.string().optional().meta({
      description: 'Why the last attempt has failed, as `status_<status>` or `no_answer`, or why there was none.',
    }),
    replay: Id.optional().meta({ description: 'The replay that has queued it.' }),
  })
  .meta({ id: 'FailedDelivery' });
export type FailedDelivery = z.input<typeof FailedDelivery>;

export const listFailedDeliveries = operation({
  service: 'integrations',
  tag: 'Operation',
  id: 'listFailedDeliveries',
  method: 'GET',
  path: '/operator/integrations/failed-deliveries',
  summary:
    'List what could not be delivered to installations of integrations and to webhooks in the last 30 days, of all organizations, what happened last first',
  access: { tokens: ['personal'], resource: 'installation', view: ['anyone'], allow: ['operator'] },
  query: z.object({
    ...paging,
    organization: Id.optional().meta({ description: 'Only of this organization.' }),
    integration: IntegrationName.optional().meta({ description: 'Only of the integration of this name.' }),
  }),
  response: listOf(FailedDelivery),
});
