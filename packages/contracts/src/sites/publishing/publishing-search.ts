import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { Id, listOf, paging, text } from '../../kernel/common.js';
import { FoundSpace } from '../../content/reading/search.js';
import { operation } from '../../kernel/operation.js';
import { reading, siteParams, sitePath } from '../base.js';
import { siteBounds } from '../bounds.js';

const siteSpaceIds = z.array(Id).min(1).max(siteBounds.atOnce);

const SearchScope = z
  .discriminatedUnion('mode', [
    z.object({ mode: z.literal('default'), currentSiteSpace: Id.optional() }),
    z.object({ mode: z.literal('specific'), siteSpaceIds }),
    z.object({ mode: z.literal('all') }),
  ])
  .meta({
    description:
      '`default`: the default space of each section, and `currentSiteSpace` in its section; `specific`: these; `all`: everything that is shown.',
  });

/** The scope as older clients write it. */
const olderScope = {
  mode: z.enum(['specific', 'current', 'all']).optional().meta({ description: 'Use `scope`.', deprecated: true }),
  siteSpaceIds: siteSpaceIds.optional().meta({ description: 'Use `scope`.', deprecated: true }),
  siteSpaceId: Id.optional().meta({ description: 'Use `scope.currentSiteSpace`.', deprecated: true }),
};

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
  body: z
    .object({ query: text(1, 512), scope: SearchScope.optional(), ...olderScope })
    .refine(({ scope, mode, siteSpaceIds: ids }) => scope !== undefined || mode !== 'specific' || ids !== undefined, {
      path: ['siteSpaceIds'],
      message: 'Is required with this mode',
    }),
  response: listOf(FoundSpace),
  rate: 'search',
});
