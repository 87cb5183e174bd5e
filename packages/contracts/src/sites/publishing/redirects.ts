import * as z from 'zod';
import { Id, Url, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { administering, part, siteParams, sitePath } from '../base.js';

const base = { service: 'sites', tag: 'Site redirects' } as const;
const path = `${sitePath}/redirects`;
const onePath = `${path}/{siteRedirectId}`;
const params = z.object(siteParams);
const oneParams = z.object({ ...siteParams, siteRedirectId: Id });
const reading = { ...administering, scope: 'site:read' } as const;

const RedirectSource = z
  .string()
  .max(512)
  .regex(/^\/[^\s?#]*$/, 'Must be a path that begins with a slash')
  .meta({ description: 'A path on the site.' });

const url = z.object({ kind: z.literal('url'), url: Url });
const page = { space: Id.optional(), page: Id };
const RedirectDestination = z.discriminatedUnion('kind', [url, z.object({ kind: z.literal('page'), ...page })]);
const RedirectDestinationInput = z.discriminatedUnion('kind', [
  url,
  z.object({ kind: z.enum(['page', 'site-page']), ...page }),
]);
export type RedirectDestination = z.output<typeof RedirectDestination>;
export type RedirectDestinationInput = z.output<typeof RedirectDestinationInput>;

export const SiteRedirect = z
  .object({
    object: z.literal('site-redirect'),
    id: Id,
    source: z.string(),
    destination: RedirectDestination,
  })
  .meta({ id: 'SiteRedirect' });
export type SiteRedirect = z.input<typeof SiteRedirect>;

export const listSiteRedirects = operation({
  ...base,
  id: 'listSiteRedirects',
  method: 'GET',
  path,
  summary: 'List the redirects of a site by their source',
  access: reading,
  params,
  query: z.object(paging),
  response: listOf(SiteRedirect),
});

export const createSiteRedirect = operation({
  ...base,
  id: 'createSiteRedirect',
  method: 'POST',
  path,
  summary: 'Create a redirect',
  access: administering,
  params,
  body: z.object({ source: RedirectSource, destination: RedirectDestinationInput }),
  response: SiteRedirect,
  status: 201,
  reasons: ['already_exists', 'limit_reached'],
});

export const updateSiteRedirectById = operation({
  ...base,
  id: 'updateSiteRedirectById',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a redirect',
  access: administering,
  params: oneParams,
  body: z.object({ source: RedirectSource.optional(), destination: RedirectDestinationInput.optional() }),
  response: SiteRedirect,
  reasons: ['already_exists'],
});

export const deleteSiteRedirectById = operation({
  ...base,
  id: 'deleteSiteRedirectById',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a redirect',
  access: { ...administering, ...part },
  params: oneParams,
});

export const getSiteRedirectBySource = operation({
  ...base,
  id: 'getSiteRedirectBySource',
  method: 'GET',
  path: `${sitePath}/redirect`,
  summary: 'Get the redirect of a path on a site',
  access: reading,
  params,
  query: z.object({ source: RedirectSource }),
  response: SiteRedirect,
});
