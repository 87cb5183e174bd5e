import { publicStream } from '../kernel/public-streams.js';
import { installationEventSchemas, installationsEventSchemas, integrationEventSchemas } from './events.js';
import { listOrganizationInstallations } from './installations.js';
import { getIntegrationByName } from './publishing.js';
import { webhookEventSchemas } from './webhook-events.js';
import { getOrganizationWebhook } from './webhooks.js';

/** Whoever may list what is installed in an organization is told what happens to it. */
const installations = { service: 'integrations', shownBy: listOrganizationInstallations } as const;

/** Streams of integrations whose events audit and change feed tell. */
export const integrationStreams = [
  publicStream({
    service: 'integrations',
    shownBy: getIntegrationByName,
    entity: 'integration',
    schemas: integrationEventSchemas,
    untold: ['IntegrationDemandsChanged', 'IntegrationRemoved', 'IntegrationSigningRotated'],
    // Outside, an integration is known by its name.
    target: { object: 'integration', idIn: 'name' },
  }),
  publicStream({
    ...installations,
    entity: 'installations',
    schemas: installationsEventSchemas,
    untold: ['InstallationsClosed'],
    target: { object: 'integration-installation', idIn: 'installation' },
  }),
  publicStream({
    ...installations,
    entity: 'installation',
    schemas: installationEventSchemas,
    target: { object: 'integration-installation' },
  }),
  publicStream({
    service: 'integrations',
    shownBy: getOrganizationWebhook,
    entity: 'webhooks',
    schemas: webhookEventSchemas,
    untold: ['WebhooksClosed'],
    target: { object: 'webhook', idIn: 'webhook' },
  }),
];
