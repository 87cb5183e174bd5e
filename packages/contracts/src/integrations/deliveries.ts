import * as z from 'zod';
import { Space } from '../content/library/space.js';
import { Id, listOf, paging, Timestamp } from '../kernel/common.js';
import { openToInstallations, openToIntegration } from '../kernel/integration-access.js';
import { operation } from '../kernel/operation.js';
import { installationParams, integrationParams } from './integration.js';
import { computeCallTypes, installationStatuses } from './words.js';

const base = { service: 'integrations', tag: 'Integrations' } as const;
const scope = { read: 'integration:installations:read', write: 'integration:installations:write' } as const;

/** The types of events that scripts get and that are recorded. */
export const integrationEventTypes = [
  'installation_setup',
  'installation_deleted',
  'space_installation_setup',
  'space_installation_deleted',
  'site_installation_setup',
  'site_installation_deleted',
  'space_content_updated',
  'space_visibility_updated',
  'task',
] as const;

/** The types of calls of scripts somebody waits for. They are recorded when they fail, logins of visitors always. */
export const integrationCallTypes = [
  'fetch',
  'ui_render',
  'fetch_visitor_authentication',
  'site_view',
  'page_feedback',
  'fetch_published_script',
  ...computeCallTypes,
] as const;

const status = z.enum(installationStatuses);
const EventStatus = z.enum(['queued', 'success', 'failed']);

const Payload = z
  .object({
    eventId: Id,
    type: z.enum([...integrationEventTypes, ...integrationCallTypes]),
    installationId: Id.optional(),
    spaceId: Id.optional(),
    siteId: Id.optional(),
    revisionId: Id.optional(),
    previousVisibility: Space.shape.visibility.optional(),
    visibility: Space.shape.visibility.optional(),
    status: status.optional(),
    previous: z
      .object({ status: status.optional() })
      .optional()
      .meta({ description: 'What was before. Scripts get the configuration of before, too.' }),
  })
  .meta({ id: 'IntegrationEventPayload' });

const event = {
  id: Id,
  integrationId: z.string(),
  installationId: Id.optional().meta({ description: 'Missing for a call of the integration as such.' }),
  createdAt: Timestamp,
  status: EventStatus.meta({ description: '`queued`: it is to be delivered, or to be delivered again.' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Why it has failed; `not_handled` for a type that the script does not handle.' }),
  attempts: z.int().min(0),
  replay: Id.optional().meta({ description: 'The replay that has queued it.' }),
};

export const IntegrationEvent = z.object({ ...event, payload: Payload }).meta({ id: 'IntegrationEvent' });
export type IntegrationEvent = z.input<typeof IntegrationEvent>;

const Attempt = z.object({
  at: Timestamp,
  durationMs: z.number(),
  status: z.int().optional().meta({ description: 'What the script answered.' }),
  reason: z.string().optional().meta({ description: 'Why there was no answer.' }),
  outcome: z.string().optional(),
  exceptions: z.array(z.object({ name: z.string(), message: z.string(), stack: z.string().optional() })),
  requests: z.array(
    z.object({ method: z.string(), host: z.string(), status: z.int(), refused: z.string().optional() }),
  ),
  truncated: z.boolean(),
});
const Log = z.object({
  timestamp: Timestamp,
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: z.string(),
});

export const IntegrationEventWithTrace = z
  .object({
    event: IntegrationEvent,
    trace: z.object({ logs: z.array(Log), attempts: z.array(Attempt) }).meta({
      description: 'What the script did. Secrets and tokens are shown as ***. It is kept for 30 days.',
    }),
  })
  .meta({ id: 'IntegrationEventWithTrace' });
export type IntegrationEventWithTrace = z.input<typeof IntegrationEventWithTrace>;

const eventFilter = { status: EventStatus.optional().meta({ description: 'Only those with this status.' }) };
const params = z.object(integrationParams);
const eventParams = z.object({ ...integrationParams, eventId: Id });
/** Admins of the organization that publishes the integration. */
const owning = { scope: scope.read, resource: 'integration', view: ['anyone', 'guest'], allow: ['admin'] } as const;
/** And the integration itself, and each of its installations, which sees what was delivered to it alone. */
const ofIntegration = openToInstallations(openToIntegration(owning));

export const listIntegrationEvents = operation({
  ...base,
  id: 'listIntegrationEvents',
  method: 'GET',
  path: '/integrations/{integrationName}/events',
  summary: 'List the events that were delivered to an integration, and calls that failed, the newest first',
  access: ofIntegration,
  params,
  query: z.object({ ...paging, ...eventFilter }),
  response: listOf(IntegrationEvent),
});

export const getIntegrationEvent = operation({
  ...base,
  id: 'getIntegrationEvent',
  method: 'GET',
  path: '/integrations/{integrationName}/events/{eventId}',
  summary: 'Get an event that was delivered to an integration, with what its script did',
  access: ofIntegration,
  params: eventParams,
  response: IntegrationEventWithTrace,
  reasons: ['not_found'],
});

export const listIntegrationInstallationEvents = operation({
  ...base,
  id: 'listIntegrationInstallationEvents',
  method: 'GET',
  path: '/integrations/{integrationName}/installations/{installationId}/events',
  summary: 'List the events that were delivered to an installation, the newest first',
  access: { scope: scope.read, resource: 'integration_installation', view: ['guest'], allow: ['admin'] },
  params: z.object(installationParams),
  query: z.object({ ...paging, ...eventFilter }),
  response: listOf(IntegrationEvent),
});

export const redeliverIntegrationEvent = operation({
  ...base,
  id: 'redeliverIntegrationEvent',
  method: 'POST',
  path: '/integrations/{integrationName}/events/{eventId}/redeliver',
  summary: 'Deliver an event again, with the present version and configuration; it is queued',
  access: {
    scope: scope.write,
    resource: 'integration_event',
    view: ['guest', 'operator'],
    allow: ['admin', 'operator'],
  },
  params: eventParams,
  response: IntegrationEvent,
  status: 202,
  reasons: ['conflict'],
  dryRun: false,
});
