import * as z from 'zod';
import { Id, listOf, paging } from '../kernel/common.js';
import { openToInstallations, openToIntegration } from '../kernel/integration-access.js';
import { operation } from '../kernel/operation.js';
import { ConfigurationValues } from './configuration.js';
import { ExternalIds, IntegrationSiteInstallation, IntegrationSpaceInstallation } from './installation.js';
import { extended } from './installations.js';
import { installationParams } from './integration.js';

const base = { service: 'integrations', tag: 'Installations of integrations' } as const;
const scope = { read: 'integration:installations:read', write: 'integration:installations:write' } as const;
const params = z.object(installationParams);
const installationPath = '/integrations/{integrationName}/installations/{installationId}';
const listing = {
  scope: scope.read,
  resource: 'integration_installation',
  view: ['guest'],
  allow: ['create'],
} as const;
/** And the integration itself, and its installation. */
const open = openToInstallations(openToIntegration(listing));
/** What is added is named in the body: whether the caller may, depends on that. */
const adding = { ...listing, scope: scope.write, allow: ['guest'] } as const;
const onSpace = { resource: 'integration_space', view: ['read'], allow: ['create'] } as const;
const onSite = { resource: 'integration_site', view: ['read'], allow: ['create'] } as const;
const openOn = (rule: Parameters<typeof openToIntegration>[0]) => openToInstallations(openToIntegration(rule));
const query = z.object({ extended });
const listQuery = z.object({ ...paging, extended });
const change = z.object({ configuration: ConfigurationValues.optional(), externalIds: ExternalIds.optional() });
const spaceParams = z.object({ ...installationParams, spaceId: Id });
const siteParams = z.object({ ...installationParams, siteId: Id });

export const listIntegrationInstallationSpaces = operation({
  ...base,
  id: 'listIntegrationInstallationSpaces',
  method: 'GET',
  path: `${installationPath}/spaces`,
  summary: 'List the spaces of an installation that the caller may view, by title',
  access: open,
  params,
  query: listQuery,
  response: listOf(IntegrationSpaceInstallation),
});

export const installIntegrationOnSpace = operation({
  ...base,
  id: 'installIntegrationOnSpace',
  method: 'POST',
  path: `${installationPath}/spaces`,
  summary: 'Install an integration on a space',
  access: adding,
  params,
  query,
  body: z.object({ space: Id }),
  response: IntegrationSpaceInstallation,
  status: 201,
  reasons: ['not_found', 'invalid_request'],
});

export const getIntegrationSpaceInstallation = operation({
  ...base,
  id: 'getIntegrationSpaceInstallation',
  method: 'GET',
  path: `${installationPath}/spaces/{spaceId}`,
  summary: 'Get the installation of an integration on a space',
  access: openOn({ ...onSpace, scope: scope.read }),
  params: spaceParams,
  query,
  response: IntegrationSpaceInstallation,
});

export const updateIntegrationSpaceInstallation = operation({
  ...base,
  id: 'updateIntegrationSpaceInstallation',
  method: 'PATCH',
  path: `${installationPath}/spaces/{spaceId}`,
  summary: 'Configure an integration on a space',
  access: openOn({ ...onSpace, scope: scope.write }),
  params: spaceParams,
  query,
  body: change,
  response: IntegrationSpaceInstallation,
  reasons: ['configuration_invalid', 'too_large', 'conflict'],
});

export const uninstallIntegrationFromSpace = operation({
  ...base,
  id: 'uninstallIntegrationFromSpace',
  method: 'DELETE',
  path: `${installationPath}/spaces/{spaceId}`,
  summary: 'Uninstall an integration from a space',
  access: { ...onSpace, scope: scope.write },
  params: spaceParams,
  reasons: ['selected_by_all'],
});

export const listIntegrationInstallationSites = operation({
  ...base,
  id: 'listIntegrationInstallationSites',
  method: 'GET',
  path: `${installationPath}/sites`,
  summary: 'List the sites of an installation that the caller may view, by title',
  access: open,
  params,
  query: listQuery,
  response: listOf(IntegrationSiteInstallation),
});

export const installIntegrationOnSite = operation({
  ...base,
  id: 'installIntegrationOnSite',
  method: 'POST',
  path: `${installationPath}/sites`,
  summary: 'Install an integration on a site',
  access: adding,
  params,
  query,
  body: z
    .object({ siteId: Id.optional(), site: Id.optional() })
    .refine(({ siteId, site }) => (siteId === undefined) !== (site === undefined), {
      message: 'Must name the site, once',
      path: ['siteId'],
    }),
  response: IntegrationSiteInstallation,
  status: 201,
  reasons: ['not_found', 'invalid_request'],
});

export const getIntegrationSiteInstallation = operation({
  ...base,
  id: 'getIntegrationSiteInstallation',
  method: 'GET',
  path: `${installationPath}/sites/{siteId}`,
  summary: 'Get the installation of an integration on a site',
  access: openOn({ ...onSite, scope: scope.read }),
  params: siteParams,
  query,
  response: IntegrationSiteInstallation,
});

export const updateIntegrationSiteInstallation = operation({
  ...base,
  id: 'updateIntegrationSiteInstallation',
  method: 'PATCH',
  path: `${installationPath}/sites/{siteId}`,
  summary: 'Configure an integration on a site',
  access: openOn({ ...onSite, scope: scope.write }),
  params: siteParams,
  query,
  body: change,
  response: IntegrationSiteInstallation,
  reasons: ['configuration_invalid', 'too_large', 'conflict'],
});

export const uninstallIntegrationFromSite = operation({
  ...base,
  id: 'uninstallIntegrationFromSite',
  method: 'DELETE',
  path: `${installationPath}/sites/{siteId}`,
  summary: 'Uninstall an integration from a site',
  access: { ...onSite, scope: scope.write },
  params: siteParams,
  reasons: ['selected_by_all'],
});
