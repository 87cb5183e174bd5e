import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { Id } from '../../kernel/common.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { operation } from '../../kernel/operation.js';
import { reading, shareKey, siteParams, sitePath, structuring } from '../base.js';
import { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from './structure.js';

const base = { service: 'sites', tag: 'Sites' } as const;
const params = z.object(siteParams);
const item = z.object({ type: z.enum(['site-space', 'site-section', 'site-section-group']), id: Id });

export const getSiteStructure = operation({
  ...base,
  id: 'getSiteStructure',
  method: 'GET',
  path: `${sitePath}/structure`,
  summary: 'Get what stands on a site, in its order',
  access: openToInstallations({ ...reading, tokens: readerTokens }, 'site:metadata:read'),
  params,
  query: z.object(shareKey),
  response: SiteStructure,
});

export const sortSiteStructure = operation({
  ...base,
  id: 'sortSiteStructure',
  method: 'PATCH',
  path: `${sitePath}/structure/sort`,
  summary:
    'Move something on a site directly before or behind something else, also where that stands in another group or section. If-Match names the ETag of the structure',
  access: structuring,
  tagOf: `${sitePath}/structure`,
  params,
  body: z.object({
    item,
    position: z.object({ before: item.optional(), after: item.optional() }),
  }),
  response: z.union([SiteSpace, SiteSection, SiteSectionGroup]),
  reasons: ['position_invalid', 'already_exists'],
});
