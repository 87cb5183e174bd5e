import * as z from 'zod';
import { Id, listOf, paging } from '../../kernel/common.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { operation } from '../../kernel/operation.js';
import { administering, orgParams, readingMetadata, siteParams, sitePath } from '../base.js';
import { siteBounds } from '../bounds.js';
import { AgentsContext, Site, SiteHostname, SitePath, SiteProxy, SiteTitle, SiteType, SiteVisibility } from './site.js';

const base = { service: 'sites', tag: 'Sites' } as const;
const params = z.object(siteParams);
const publishing = { ...administering, scope: 'site:publish' } as const;

export const listSites = operation({
  ...base,
  id: 'listSites',
  method: 'GET',
  path: '/orgs/{organizationId}/sites',
  summary: 'List the sites of an organization that the caller may view, the newest first',
  access: openToInstallations(
    { scope: 'site:read', resource: 'organization', view: ['guest'], allow: ['guest'] },
    'site:metadata:read',
  ),
  params: orgParams,
  query: z.object({
    ...paging,
    space: Id.optional().meta({ description: 'Only those that this space is on.' }),
    title: z.string().max(128).optional().meta({ description: 'Only those whose title contains this.' }),
    published: z.boolean().optional(),
    type: z.array(SiteType).max(6).optional().meta({ description: 'Only those of one of these types.' }),
  }),
  response: listOf(Site),
});

export const createSite = operation({
  ...base,
  id: 'createSite',
  method: 'POST',
  path: '/orgs/{organizationId}/sites',
  summary: 'Create a site; it is not published yet',
  access: { scope: 'site:write', resource: 'organization', view: ['guest'], allow: ['create'] },
  params: orgParams,
  body: z.object({
    type: SiteType.optional().meta({ description: '`basic` unless given.' }),
    title: SiteTitle.optional(),
    visibility: SiteVisibility.optional().meta({ description: '`public` unless given.' }),
    spaces: z
      .array(Id)
      .max(siteBounds.atOnce)
      .optional()
      .meta({ description: 'Spaces to put on it. The first one is the default.' }),
  }),
  bodyOptional: true,
  response: Site,
  status: 201,
  reasons: ['already_exists', 'limit_reached'],
});

export const getSiteById = operation({
  ...base,
  id: 'getSiteById',
  method: 'GET',
  path: sitePath,
  summary: 'Get a site',
  access: readingMetadata,
  params,
  response: Site,
});

export const updateSiteById = operation({
  ...base,
  id: 'updateSiteById',
  method: 'PATCH',
  path: sitePath,
  summary: 'Change the settings of a site',
  access: administering,
  params,
  body: z.object({
    title: SiteTitle.optional(),
    visibility: SiteVisibility.optional(),
    basename: SitePath.optional(),
    hostname: SiteHostname.nullable()
      .optional()
      .meta({ description: 'A hostname of its own. It counts once it is verified.' }),
    proxy: SiteProxy.nullable().optional(),
    adaptiveContent: z.object({ enabled: z.boolean() }).optional(),
    agentsContext: AgentsContext.optional(),
    defaultSiteSpace: Id.optional().meta({
      description: 'The default among the spaces of the site, or of its default section.',
    }),
    defaultSiteSection: Id.optional(),
  }),
  response: Site,
  reasons: ['already_exists'],
});

export const verifySiteHostname = operation({
  ...base,
  id: 'verifySiteHostname',
  method: 'POST',
  path: `${sitePath}/hostname/verify`,
  summary: 'Verify the hostname of a site by the DNS record that `hostnameProof` names',
  access: administering,
  params,
  response: Site,
  reasons: ['already_exists', 'conflict', 'bad_gateway'],
  deadlineMs: 15_000,
});

export const deleteSiteById = operation({
  ...base,
  id: 'deleteSiteById',
  method: 'DELETE',
  path: sitePath,
  summary: 'Delete a site for good; its spaces stay',
  access: administering,
  params,
});

export const publishSite = operation({
  ...base,
  id: 'publishSite',
  method: 'POST',
  path: `${sitePath}/publish`,
  summary: 'Publish a site',
  access: publishing,
  params,
  response: Site,
});

export const unpublishSite = operation({
  ...base,
  id: 'unpublishSite',
  method: 'POST',
  path: `${sitePath}/unpublish`,
  summary: 'Take a site off the net',
  access: publishing,
  params,
  response: Site,
});
