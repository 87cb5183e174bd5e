import * as z from 'zod';
import { Id, listOf, paging, text } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { readsContent } from './content-reads.js';

/** A part of a page in which a search found something: a heading with the text up to the next one. */
const FoundSection = z
  .object({
    id: z.string().meta({ description: 'The anchor of the heading; the id of the page for its beginning.' }),
    title: z.string().meta({ description: 'The heading; the title of the page for its beginning.' }),
    path: z.string().meta({ description: 'The path of the page, with the anchor of the heading.' }),
    body: z.string().max(250).meta({ description: 'The text around the first word that was found.' }),
    urls: z.object({ app: z.url() }),
  })
  .meta({ id: 'FoundSection' });

/** A page that a search found. */
export const FoundPage = z
  .object({
    id: Id,
    title: z.string(),
    path: z.string(),
    sections: z
      .array(FoundSection)
      .max(10)
      .meta({ description: 'The first sections with a word that was searched for; none if only the title has one.' }),
    ancestors: z
      .array(z.object({ title: z.string() }))
      .meta({ description: 'The pages and groups that contain it, from the top down.' }),
    urls: z.object({ app: z.url() }),
  })
  .meta({ id: 'FoundPage' });
export type FoundPage = z.output<typeof FoundPage>;
export type FoundSection = z.output<typeof FoundSection>;

/** A space with the pages that a search found in it. */
export const FoundSpace = z
  .object({
    id: Id,
    title: z.string(),
    pages: z.array(FoundPage).max(10).meta({ description: 'The best pages.' }),
    more: z.int().min(1).optional().meta({ description: 'How many further pages were found in the space.' }),
  })
  .meta({ id: 'FoundSpace' });
export type FoundSpace = z.output<typeof FoundSpace>;

const query = z.object({
  ...paging,
  query: text(1, 512).meta({
    description:
      'Words that pages have in their titles, headings or text. The last one may be the beginning of a word. If fewer than five pages have them, words of five letters and more may differ by one letter; if no page has all of them, those with any of them are found.',
  }),
});

const search = { ...readsContent, tag: 'Search', rate: 'search', query } as const;

export const searchSpaceContent = operation({
  ...search,
  id: 'searchSpaceContent',
  path: '/spaces/{spaceId}/search',
  summary: 'Search the pages of the main content of a space, hidden ones included; the best come first',
  params: z.object({ spaceId: Id }),
  response: listOf(FoundPage),
});

export const searchOrganizationContent = operation({
  ...search,
  id: 'searchOrganizationContent',
  path: '/orgs/{organizationId}/search',
  summary: 'Search the pages of all spaces of an organization that the caller may view, space by space',
  access: { scope: 'organization:search', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: z.object({ organizationId: Id }),
  response: listOf(FoundSpace),
});
