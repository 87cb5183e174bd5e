import * as z from 'zod';
import { Id, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Condition, part, readingMetadata, shareKey, siteParams, sitePath, structuring } from '../base.js';
import { SitePath } from './site.js';
import { SiteSpace } from './structure.js';

const base = { service: 'sites', tag: 'Site spaces' } as const;
const path = `${sitePath}/site-spaces`;
const onePath = `${path}/{siteSpaceId}`;
const params = z.object(siteParams);
const oneParams = z.object({ ...siteParams, siteSpaceId: Id });
const pointer = z.object({ type: z.literal('site-space'), siteSpace: Id });

export const listSiteSpaces = operation({
  ...base,
  id: 'listSiteSpaces',
  method: 'GET',
  path,
  summary: 'List the spaces on a site, in their order',
  access: readingMetadata,
  params,
  query: z.object({
    ...paging,
    ...shareKey,
    default: z.boolean().optional().meta({ description: 'Only the default one, or only the others.' }),
  }),
  response: listOf(SiteSpace),
});

export const addSpaceToSite = operation({
  ...base,
  id: 'addSpaceToSite',
  method: 'POST',
  path,
  summary: 'Put a space on a site',
  access: structuring,
  params,
  body: z.object({
    spaceId: Id.meta({ description: 'A space of the organization on which the caller may create.' }),
    sectionId: Id.optional().meta({ description: 'The default section unless given.' }),
  }),
  response: SiteSpace,
  status: 201,
  reasons: ['already_exists', 'limit_reached'],
});

export const deleteSiteSpaceById = operation({
  ...base,
  id: 'deleteSiteSpaceById',
  method: 'DELETE',
  path: onePath,
  summary: 'Take a space off a site; the space stays',
  access: { ...structuring, ...part },
  params: oneParams,
});

export const updateSiteSpaceById = operation({
  ...base,
  id: 'updateSiteSpaceById',
  method: 'PATCH',
  path: onePath,
  summary: 'Change how a space stands on a site',
  access: structuring,
  params: oneParams,
  body: z.object({
    path: SitePath.optional(),
    condition: Condition.nullable().optional().meta({ description: 'Whom it is shown to; `null`: everybody.' }),
    spaceId: Id.optional().meta({ description: 'The space that it shows.' }),
    hidden: z.boolean().optional().meta({ description: 'Whether it is left out of navigation.' }),
  }),
  response: SiteSpace,
  reasons: ['already_exists', 'condition_invalid'],
});

export const duplicateSiteSpace = operation({
  ...base,
  id: 'duplicateSiteSpace',
  method: 'POST',
  path: `${onePath}/duplicate`,
  summary:
    'Make a copy of a space on a site, with its content, and put it directly after it; it is shown to the same visitors',
  access: structuring,
  params: oneParams,
  response: SiteSpace,
  status: 201,
  reasons: ['limit_reached'],
});

export const moveSiteSpace = operation({
  ...base,
  id: 'moveSiteSpace',
  method: 'POST',
  path: `${onePath}/move`,
  summary: 'Move a space of a site before or behind another one in the same section',
  access: structuring,
  params: oneParams,
  body: z.object({
    position: z.object({ before: pointer.optional(), after: pointer.optional() }).optional(),
  }),
  bodyOptional: true,
  response: SiteSpace,
  reasons: ['position_invalid'],
  deprecated: { since: '2026-01-01', sunset: '2027-12-31', successor: `${sitePath}/structure/sort` },
});
