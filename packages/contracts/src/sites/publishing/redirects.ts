import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { Id, listOf, paging, text } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { administering, part, reading as readingSite, shareKey, siteParams, sitePath } from '../base.js';
import { VisitorUrl } from '../visitor-url.js';

const base = { service: 'sites', tag: 'Site redirects' } as const;
const path = `${sitePath}/redirects`;
const onePath = `${path}/{siteRedirectId}`;
const params = z.object(siteParams);
const oneParams = z.object({ ...siteParams, siteRedirectId: Id });
const reading = { ...administering, scope: 'site:read' } as const;

const longestSource = 2_048;

const RedirectSource = z
  .string()
  .max(512)
  .regex(/^\/[^\s?#]*$/, 'Must be a path that begins with a slash')
  .meta({
    description:
      'A path on the site, as addresses have it: without empty parts, `.`, `..`, `*` and parts that begin with `~`.',
  });

const url = z.object({ kind: z.literal('url'), url: VisitorUrl });
const external = z.object({ kind: z.literal('external'), url: VisitorUrl });
const page = z.object({ kind: z.literal('page'), space: Id.optional(), page: Id });
const siteSpace = z.object({ kind: z.literal('site-space'), siteSpaceId: Id });
const siteSection = z.object({ kind: z.literal('site-section'), siteSectionId: Id });
const sitePage = z.object({ kind: z.literal('site-page'), siteSpaceId: Id, pageId: Id });
/** A page of a site space, or what `page` says under another name. */
const sitePageInput = z
  .object({
    kind: z.literal('site-page'),
    siteSpaceId: Id.optional(),
    pageId: Id.optional(),
    space: Id.optional(),
    page: Id.optional(),
  })
  .refine(({ siteSpaceId, page: named }) => siteSpaceId !== undefined || named !== undefined, {
    path: ['siteSpaceId'],
    message: 'A page is named by `siteSpaceId` and `pageId`',
  })
  .refine(({ siteSpaceId, pageId }) => siteSpaceId === undefined || pageId !== undefined, {
    path: ['pageId'],
    message: 'A page is named by `siteSpaceId` and `pageId`',
  });
const RedirectDestination = z.discriminatedUnion('kind', [url, page, external, sitePage, siteSpace, siteSection]);
const RedirectDestinationInput = z.discriminatedUnion('kind', [
  url,
  page,
  external,
  sitePageInput,
  siteSpace,
  siteSection,
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
  query: z.object({
    ...paging,
    search: text(1, 512).optional().meta({ description: 'Only those whose source has this in it, in either case.' }),
  }),
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
  summary: 'Get where the redirect of a path on a site leads. What the caller is not shown leads nowhere',
  access: { ...readingSite, tokens: readerTokens },
  params,
  query: z.object({ source: z.string().max(longestSource), ...shareKey }),
  response: z.object({
    ...SiteRedirect.shape,
    redirect: SiteRedirect,
    target: z.url().meta({ description: 'The address to which it leads.' }),
  }),
});
