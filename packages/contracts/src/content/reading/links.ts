import * as z from 'zod';
import { Id, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { ContentLocation } from './content-location.js';
import { readsContent } from './content-reads.js';
import { ContentReference } from '../shapes/content-reference.js';

export const LinkStatus = z.enum(['ok', 'broken', 'in-app']).meta({
  id: 'LinkStatus',
  description:
    '`broken`: the target does not exist, or not for the caller; `in-app`: it is an address of the application. Addresses elsewhere are not looked at, and `ok`.',
});
export type LinkStatus = z.output<typeof LinkStatus>;

/** What content links to, and where it does. */
export const ContentLink = z
  .object({
    status: LinkStatus,
    relation: z.enum(['reference', 'dependsOn']).meta({
      description: '`dependsOn`: what links to it cannot be shown without it, as with images.',
    }),
    reference: z
      .union([ContentReference, z.object({ kind: z.literal('url'), url: z.string() })])
      .meta({ description: 'The target as the content names it.' }),
    targetReference: ContentLocation.optional().meta({ description: 'The target, unless it is broken.' }),
    locationReferences: z.array(ContentLocation).max(10).meta({ description: 'The first places that link to it.' }),
    moreLocations: z.int().min(1).optional().meta({ description: 'How many further places link to it.' }),
  })
  .meta({ id: 'ContentLink' });
export type ContentLink = z.input<typeof ContentLink>;

/** How many targets are linked to, whatever their status. */
const LinkStats = z
  .object({
    total: z.int().min(0),
    broken: z.object({
      total: z.int().min(0),
      changeRequest: z
        .int()
        .min(0)
        .meta({ description: 'Those that the change request has broken; 0 for the main content.' }),
    }),
  })
  .meta({ id: 'LinkStats' });

const listOfLinks = listOf(ContentLink).extend({ stats: LinkStats });
const listOfLocations = listOf(ContentLocation);

/** Lists with names of their own: written out in each operation their types would be too long for the compiler. */
export interface ContentLinks extends z.input<typeof listOfLinks> {
  count: number;
}
export interface ShownContentLinks extends z.output<typeof listOfLinks> {
  count: number;
}
export interface ContentLocations extends z.input<typeof listOfLocations> {
  count: number;
}
export interface ShownContentLocations extends z.output<typeof listOfLocations> {
  count: number;
}
const links: z.ZodType<ShownContentLinks, ContentLinks> = listOfLinks;
const locations: z.ZodType<ShownContentLocations, ContentLocations> = listOfLocations;
const query = z.object({ ...paging, status: LinkStatus.optional().meta({ description: 'Only those with it.' }) });
const base = { ...readsContent, tag: 'Links' } as const;

/** The content whose links are read: the main content of a space, or a change request. */
interface LinkedContent<S extends z.ZodRawShape> {
  path: { links: string; content: string };
  /** The parameters of the paths. */
  params: S;
  /** How summaries name it. */
  name: string;
  ids: Record<'links' | 'pageLinks' | 'pageBacklinks' | 'fileBacklinks', string>;
}

/** The operations about what a content links to. */
function linkReads<S extends z.ZodRawShape>({ path, params, name, ids }: LinkedContent<S>) {
  const within = z.object(params);
  return {
    links: operation({
      ...base,
      id: ids.links,
      path: path.links,
      summary: `List what the pages and reusable contents of ${name} link to, in the order of the pages`,
      params: within,
      query,
      response: links,
    }),
    pageLinks: operation({
      ...base,
      id: ids.pageLinks,
      path: `${path.content}/page/{pageId}/links`,
      summary: `List what a page of ${name} links to`,
      params: within.extend({ pageId: Id }),
      query,
      response: links,
    }),
  };
}

/** The operations about what links to a part of a content. */
function backlinkReads<S extends z.ZodRawShape>({ path, params, name, ids }: LinkedContent<S>) {
  const within = z.object(params);
  const backlinks = { ...base, query: z.object(paging), response: locations };
  return {
    pageBacklinks: operation({
      ...backlinks,
      id: ids.pageBacklinks,
      path: `${path.content}/page/{pageId}/backlinks`,
      summary: `List the places of ${name} that link to a page of it`,
      params: within.extend({ pageId: Id }),
    }),
    fileBacklinks: operation({
      ...backlinks,
      id: ids.fileBacklinks,
      path: `${path.content}/files/{fileId}/backlinks`,
      summary: `List the places of ${name} that use a file of it`,
      params: within.extend({ fileId: Id }),
    }),
  };
}

const main = {
  path: { links: '/spaces/{spaceId}/links', content: '/spaces/{spaceId}/content' },
  params: { spaceId: Id },
  name: 'the main content of a space',
  ids: {
    links: 'listSpaceLinks',
    pageLinks: 'listPageLinksInSpace',
    pageBacklinks: 'listSpacePageBacklinks',
    fileBacklinks: 'listSpaceFileBacklinks',
  },
};

export const { links: listSpaceLinks, pageLinks: listPageLinksInSpace } = linkReads(main);
export const { pageBacklinks: listSpacePageBacklinks, fileBacklinks: listSpaceFileBacklinks } = backlinkReads(main);

const path = '/spaces/{spaceId}/change-requests/{changeRequestId}';
const changeRequest = {
  path: { links: `${path}/links`, content: `${path}/content` },
  params: { spaceId: Id, changeRequestId: Id },
  name: 'a change request',
  ids: {
    links: 'listChangeRequestLinks',
    pageLinks: 'listPageLinksInChangeRequest',
    pageBacklinks: 'listChangeRequestPageBacklinks',
    fileBacklinks: 'listChangeRequestFileBacklinks',
  },
};

export const { links: listChangeRequestLinks, pageLinks: listPageLinksInChangeRequest } = linkReads(changeRequest);
export const { pageBacklinks: listChangeRequestPageBacklinks, fileBacklinks: listChangeRequestFileBacklinks } =
  backlinkReads(changeRequest);
