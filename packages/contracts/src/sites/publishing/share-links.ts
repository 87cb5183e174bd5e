import * as z from 'zod';
import { Id, Timestamp, listOf, paging, text } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { administering, part, siteParams, sitePath } from '../base.js';

const base = { service: 'sites', tag: 'Share links' } as const;
const path = `${sitePath}/share-links`;
const onePath = `${path}/{shareLinkId}`;
const params = z.object(siteParams);
const oneParams = z.object({ ...siteParams, shareLinkId: Id });
const name = text(1, 50);

export const ShareLink = z
  .object({
    object: z.literal('share-link'),
    id: Id,
    createdAt: Timestamp,
    name: z.string(),
    active: z.boolean(),
    urls: z.object({
      location: z.url(),
      published: z
        .url()
        .meta({ description: 'Works while the link is active, the site published and its visibility `share-link`.' }),
    }),
  })
  .meta({ id: 'ShareLink' });
export type ShareLink = z.input<typeof ShareLink>;

export const listSiteShareLinks = operation({
  ...base,
  id: 'listSiteShareLinks',
  method: 'GET',
  path,
  summary: 'List the share links of a site, the newest first',
  access: { ...administering, scope: 'site:read' },
  params,
  query: z.object(paging),
  response: listOf(ShareLink),
});

export const createSiteShareLink = operation({
  ...base,
  id: 'createSiteShareLink',
  method: 'POST',
  path,
  summary: 'Create a share link',
  access: administering,
  params,
  body: z.object({ name }),
  response: ShareLink,
  status: 201,
  reasons: ['limit_reached'],
});

export const deleteSiteShareLinkById = operation({
  ...base,
  id: 'deleteSiteShareLinkById',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a share link; its address never works again',
  access: { ...administering, ...part },
  params: oneParams,
});

export const updateSiteShareLinkById = operation({
  ...base,
  id: 'updateSiteShareLinkById',
  method: 'PATCH',
  path: onePath,
  summary: 'Rename a share link, switch it off or on',
  access: administering,
  params: oneParams,
  body: z.object({ active: z.boolean().optional(), name: name.optional() }),
  response: ShareLink,
});
