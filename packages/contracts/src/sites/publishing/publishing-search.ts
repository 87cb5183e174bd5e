import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { Id, listOf, paging, text } from '../../kernel/common.js';
import { FoundSpace } from '../../content/reading/search.js';
import { operation } from '../../kernel/operation.js';
import { reading, siteParams, sitePath } from '../base.js';
import { siteBounds } from '../bounds.js';

const SearchScope = z
  .discriminatedUnion('mode', [
    z.object({ mode: z.literal('default'), currentSiteSpace: Id.optional() }),
    z.object({ mode: z.literal('specific'), siteSpaceIds: z.array(Id).min(1).max(siteBounds.atOnce) }),
    z.object({ mode: z.literal('all') }),
  ])
  .meta({
    description:
      '`default`: the default space of each section, and `currentSiteSpace` in its section; `specific`: these; `all`: everything that is shown.',
  });

export const searchSiteContent = operation({
  service: 'sites',
  tag: 'Publishing',
  id: 'searchSiteContent',
  method: 'POST',
  kind: 'read',
  path: `${sitePath}/search`,
  summary: 'Search the pages of a site, space by space; visitors find what they are shown',
  access: { ...reading, tokens: readerTokens, scope: 'site:search' },
  params: z.object(siteParams),
  query: z.object(paging),
  body: z.object({ query: text(1, 512), scope: SearchScope.default({ mode: 'default' }) }),
  response: listOf(FoundSpace),
  rate: 'search',
});
