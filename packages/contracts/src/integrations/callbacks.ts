import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { PropertyName } from './configuration.js';
import { installationParams } from './integration.js';

const base = { service: 'integrations', tag: 'Installations of integrations' } as const;
const scope = 'integration:installations:write';
const path = '/integrations/{integrationName}/installations/{installationId}';
const params = { ...installationParams, property: PropertyName };
const begun = {
  response: z.object({
    url: z.url().meta({
      description: 'An address of the integration that works once, within 15 minutes, for the browser of the caller.',
    }),
  }),
  secret: ['url'],
  reasons: ['not_found', 'conflict'],
} as const;

export const beginIntegrationInstallationCallback = operation({
  ...base,
  ...begun,
  id: 'beginIntegrationInstallationCallback',
  method: 'POST',
  path: `${path}/callbacks/{property}`,
  summary: 'Begin what a button of the configuration does, such as connecting an account of another service',
  access: { scope, resource: 'integration_installation', view: ['guest'], allow: ['create'] },
  params: z.object(params),
});

export const beginIntegrationSpaceInstallationCallback = operation({
  ...base,
  ...begun,
  id: 'beginIntegrationSpaceInstallationCallback',
  method: 'POST',
  path: `${path}/spaces/{spaceId}/callbacks/{property}`,
  summary: 'Begin what a button of the configuration on a space does',
  access: { scope, resource: 'integration_space', view: ['read'], allow: ['create'] },
  params: z.object({ ...params, spaceId: Id }),
});

export const beginIntegrationSiteInstallationCallback = operation({
  ...base,
  ...begun,
  id: 'beginIntegrationSiteInstallationCallback',
  method: 'POST',
  path: `${path}/sites/{siteId}/callbacks/{property}`,
  summary: 'Begin what a button of the configuration on a site does',
  access: { scope, resource: 'integration_site', view: ['read'], allow: ['create'] },
  params: z.object({ ...params, siteId: Id }),
});
