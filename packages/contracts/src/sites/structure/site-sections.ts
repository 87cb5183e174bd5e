import * as z from 'zod';
import { Id, listOf, paging, text } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import {
  Condition,
  part,
  readingMetadata,
  shareKey,
  SiteIconName,
  siteParams,
  sitePath,
  structuring,
} from '../base.js';
import { SitePath } from './site.js';
import { SiteSection } from './structure.js';

const base = { service: 'sites', tag: 'Site sections' } as const;
const path = `${sitePath}/sections`;
const onePath = `${path}/{siteSectionId}`;
const params = z.object(siteParams);
const oneParams = z.object({ ...siteParams, siteSectionId: Id });
const title = text(2, 128);
const siteSectionGroupId = Id.nullable().optional().meta({ description: 'The group to put it in; `null`: the top.' });
const pointer = z.object({ type: z.literal('site-section'), siteSection: Id });

export const listSiteSections = operation({
  ...base,
  id: 'listSiteSections',
  method: 'GET',
  path,
  summary: 'List the sections of a site, in their order',
  access: readingMetadata,
  params,
  query: z.object({ ...paging, ...shareKey }),
  response: listOf(SiteSection),
});

export const addSectionToSite = operation({
  ...base,
  id: 'addSectionToSite',
  method: 'POST',
  path,
  summary: 'Add a section with a space to a site',
  access: structuring,
  params,
  body: z.object({
    spaceId: Id.meta({ description: 'A space of the organization on which the caller may create.' }),
    title: title.nullable().optional().meta({ description: 'That of the space unless given.' }),
    icon: SiteIconName.nullable().optional(),
    siteSectionGroupId,
  }),
  response: SiteSection,
  status: 201,
  reasons: ['already_exists', 'limit_reached'],
});

export const deleteSiteSectionById = operation({
  ...base,
  id: 'deleteSiteSectionById',
  method: 'DELETE',
  path: onePath,
  summary: 'Remove a section with its site spaces; those of the last section stay on the site',
  access: { ...structuring, ...part },
  params: oneParams,
});

export const updateSiteSectionById = operation({
  ...base,
  id: 'updateSiteSectionById',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a section of a site',
  access: structuring,
  params: oneParams,
  body: z.object({
    title: title.optional(),
    path: SitePath.optional(),
    defaultSiteSpace: Id.optional(),
    condition: Condition.nullable().optional().meta({ description: 'Whom it is shown to; `null`: everybody.' }),
    icon: SiteIconName.nullable().optional(),
    description: text(0, 256).nullable().optional(),
    siteSectionGroupId,
  }),
  response: SiteSection,
  reasons: ['already_exists', 'condition_invalid'],
});

export const moveSiteSection = operation({
  ...base,
  id: 'moveSiteSection',
  method: 'POST',
  path: `${onePath}/move`,
  summary: 'Move a section of a site before or behind another one in the same group',
  access: structuring,
  params: oneParams,
  body: z.object({
    position: z.object({ before: pointer.optional(), after: pointer.optional() }).optional(),
  }),
  bodyOptional: true,
  response: SiteSection,
  reasons: ['position_invalid'],
  deprecated: { since: '2026-01-01', sunset: '2027-12-31', successor: `${sitePath}/structure/sort` },
});
