import * as z from 'zod';
import { Id, Timestamp, text } from '../kernel/common.js';
import { embed } from '../kernel/embed.js';
import { Space } from '../content/library/space.js';
import { Site } from '../sites/structure/site.js';
import { integrationBounds } from './bounds.js';
import { ConfigurationValues } from './configuration.js';
import { installationSelections, installationStatuses } from './words.js';

export const InstallationStatusWord = z.enum(installationStatuses).meta({
  id: 'IntegrationInstallationStatus',
  description:
    '`pending`: something required is not configured, or the integration asks for more scopes than it was granted.',
});
const selection = (of: string) =>
  z.enum(installationSelections).meta({ description: `All ${of} of the organization, or those that were selected.` });
export const SpaceSelection = selection('spaces');
export const SiteSelection = selection('sites');

export const ExternalIds = z
  .array(text(1, integrationBounds.externalId))
  .max(integrationBounds.externalIds)
  .meta({ description: 'Ids that the integration knows it by.' });

export const IntegrationInstallation = z
  .object({
    id: Id,
    status: InstallationStatusWord,
    space_selection: SpaceSelection,
    site_selection: SiteSelection,
    spaces: z.int().min(0).meta({ description: 'The number of spaces on which it is installed.' }),
    configuration: ConfigurationValues,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: z.object({
      location: z.url(),
      app: z.url(),
      publicEndpoint: z.url(),
      publicContentEndpoint: z.url(),
    }),
    externalIds: z.array(z.string()),
    target: z.object({ organization: Id }),
  })
  .meta({ id: 'IntegrationInstallation' });
export type IntegrationInstallation = z.input<typeof IntegrationInstallation>;

const onTarget = {
  integration: z.string(),
  installation: Id,
  status: InstallationStatusWord,
  configuration: ConfigurationValues,
  externalIds: z.array(z.string()),
  urls: z.object({ location: z.url(), publicEndpoint: z.url(), publicContentEndpoint: z.url() }),
};

export const IntegrationSpaceInstallation = z
  .object({ ...onTarget, space: z.union([Id, embed('space', Space)]) })
  .meta({ id: 'IntegrationSpaceInstallation' });
export type IntegrationSpaceInstallation = z.input<typeof IntegrationSpaceInstallation>;

export const IntegrationSiteInstallation = z
  .object({ ...onTarget, site: z.union([Id, embed('site', Site)]) })
  .meta({ id: 'IntegrationSiteInstallation' });
export type IntegrationSiteInstallation = z.input<typeof IntegrationSiteInstallation>;
