import * as z from 'zod';
import { Id, listOf, paging } from '../kernel/common.js';
import { openToInstallations, openToIntegration } from '../kernel/integration-access.js';
import { operation } from '../kernel/operation.js';
import { ConfigurationValues } from './configuration.js';
import {
  ExternalIds,
  InstallationStatusWord,
  IntegrationInstallation,
  IntegrationSiteInstallation,
  IntegrationSpaceInstallation,
  SiteSelection,
  SpaceSelection,
} from './installation.js';
import { installationParams, Integration, integrationParams } from './integration.js';
import { integrationFilter } from './publishing.js';

const base = { service: 'integrations', tag: 'Installations of integrations' } as const;
const scope = { read: 'integration:installations:read', write: 'integration:installations:write' } as const;
const params = z.object(integrationParams);
const one = z.object(installationParams);
const onePath = '/integrations/{integrationName}/installations/{installationId}';
const orgParams = z.object({ organizationId: Id });
/** Admins of the organization that publishes the integration. */
const owning = {
  scope: scope.read,
  resource: 'integration',
  view: ['anyone', 'guest'],
  allow: ['admin'],
} as const;
/** And the integration itself, and each of its installations, which sees no other. */
const ofIntegration = openToInstallations(openToIntegration(owning));
/** Members of the organization in which it is installed. */
const installed = { resource: 'integration_installation', view: ['guest'] } as const;

export const externalIdFilter = {
  externalId: z.string().max(256).optional().meta({ description: 'Only what the integration knows by this id.' }),
};
export const extended = z
  .boolean()
  .default(false)
  .meta({ description: 'Whether to answer objects in the place of ids, where the caller may view them.' });

export const listIntegrationInstallations = operation({
  ...base,
  id: 'listIntegrationInstallations',
  method: 'GET',
  path: '/integrations/{integrationName}/installations',
  summary: 'List the installations of an integration, the newest first',
  access: ofIntegration,
  params,
  query: z.object({ ...paging, ...externalIdFilter }),
  response: listOf(IntegrationInstallation),
});

export const listIntegrationSpaceInstallations = operation({
  ...base,
  id: 'listIntegrationSpaceInstallations',
  method: 'GET',
  path: '/integrations/{integrationName}/spaces',
  summary: 'List the spaces on which an integration is installed, by title',
  access: ofIntegration,
  params,
  query: z.object({ ...paging, ...externalIdFilter, extended }),
  response: listOf(IntegrationSpaceInstallation),
});

export const listIntegrationSiteInstallations = operation({
  ...base,
  id: 'listIntegrationSiteInstallations',
  method: 'GET',
  path: '/integrations/{integrationName}/sites',
  summary: 'List the sites on which an integration is installed, by title',
  access: ofIntegration,
  params,
  query: z.object({ ...paging, ...externalIdFilter, extended }),
  response: listOf(IntegrationSiteInstallation),
});

export const installIntegration = operation({
  ...base,
  id: 'installIntegration',
  method: 'POST',
  path: '/integrations/{integrationName}/installations',
  summary: 'Install an integration in an organization; only an admin of it installs on all spaces or sites',
  access: { ...owning, scope: scope.write, allow: owning.view },
  params,
  body: z.object({
    organization: Id,
    space_selection: SpaceSelection.optional().meta({ description: '`selected` unless given.' }),
    site_selection: SiteSelection.optional().meta({ description: '`selected` unless given.' }),
    configuration: ConfigurationValues.optional(),
    externalIds: ExternalIds.optional(),
  }),
  response: IntegrationInstallation,
  status: 201,
  reasons: [
    'already_installed',
    'configuration_invalid',
    'limit_reached',
    'not_found',
    'sso_required',
    'too_large',
    'conflict',
  ],
});

export const getIntegrationInstallationById = operation({
  ...base,
  id: 'getIntegrationInstallationById',
  method: 'GET',
  path: onePath,
  summary: 'Get an installation of an integration',
  access: openToInstallations(openToIntegration({ ...installed, scope: scope.read, allow: ['create'] })),
  params: one,
  response: IntegrationInstallation,
});

export const updateIntegrationInstallation = operation({
  ...base,
  id: 'updateIntegrationInstallation',
  method: 'PATCH',
  path: onePath,
  summary:
    'Change an installation; by a user, also grant it the scopes that the integration asks for, and resume it if it is paused',
  access: openToInstallations(openToIntegration({ ...installed, scope: scope.write, allow: ['create'] })),
  params: one,
  body: z.object({
    configuration: ConfigurationValues.optional(),
    externalIds: ExternalIds.optional(),
    space_selection: SpaceSelection.optional(),
    site_selection: SiteSelection.optional(),
  }),
  response: IntegrationInstallation,
  reasons: ['configuration_invalid', 'too_large', 'conflict'],
});

export const pauseIntegrationInstallation = operation({
  ...base,
  id: 'pauseIntegrationInstallation',
  method: 'POST',
  path: `${onePath}/pause`,
  summary: 'Pause an installation: nothing is delivered to it, and its tokens are refused, until it is resumed',
  access: { resource: installed.resource, view: ['guest', 'operator'], allow: ['operator'] },
  params: one,
});

export const resumeIntegrationInstallation = operation({
  ...base,
  id: 'resumeIntegrationInstallation',
  method: 'POST',
  path: `${onePath}/resume`,
  summary: 'Resume an installation that is paused',
  access: { ...installed, scope: scope.write, view: ['guest', 'operator'], allow: ['admin', 'operator'] },
  params: one,
});

export const uninstallIntegration = operation({
  ...base,
  id: 'uninstallIntegration',
  method: 'DELETE',
  path: onePath,
  summary: 'Uninstall an integration',
  access: { ...installed, scope: scope.write, allow: ['admin'] },
  params: one,
});

export const listOrganizationIntegrations = operation({
  ...base,
  id: 'listOrganizationIntegrations',
  method: 'GET',
  path: '/orgs/{organizationId}/integrations',
  summary: 'List the integrations that an organization can install, its own and installed ones included, by title',
  access: { scope: 'integration:read', resource: 'organization', view: ['guest'], allow: ['read'] },
  params: orgParams,
  query: z.object({ ...paging, ...integrationFilter }),
  response: listOf(Integration),
});

const administering = {
  scope: scope.read,
  resource: 'organization',
  view: ['guest'],
  allow: ['create'],
} as const;

export const listOrganizationInstallations = operation({
  ...base,
  id: 'listOrganizationInstallations',
  method: 'GET',
  path: '/orgs/{organizationId}/installations',
  summary: 'List what is installed in an organization, the newest first',
  access: administering,
  params: orgParams,
  query: z.object({ ...paging, search: integrationFilter.search }),
  response: listOf(z.object({ integration: Integration, installation: IntegrationInstallation })),
});

export const listOrganizationIntegrationsStatus = operation({
  ...base,
  id: 'listOrganizationIntegrationsStatus',
  method: 'GET',
  path: '/orgs/{organizationId}/integrations/installations-status',
  summary: 'List the status of what is installed in an organization, the newest first',
  access: administering,
  params: orgParams,
  query: z.object({
    ...paging,
    target: z
      .enum(['organization', 'space', 'site'])
      .default('organization')
      .meta({ description: '`space` and `site`: only what is installed on one of these.' }),
  }),
  response: listOf(z.object({ status: InstallationStatusWord, integration: Integration })),
});

export const getOrganizationIntegrationStatus = operation({
  ...base,
  id: 'getOrganizationIntegrationStatus',
  method: 'GET',
  path: '/orgs/{organizationId}/integrations/{integrationName}/installation_status',
  summary: 'Get the status of an integration in an organization',
  access: administering,
  params: z.object({ organizationId: Id, ...integrationParams }),
  response: z.object({ status: InstallationStatusWord }),
});
