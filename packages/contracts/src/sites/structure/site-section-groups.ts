import * as z from 'zod';
import { Id, listOf, paging, text } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { part, readingMetadata, SiteIconName, siteParams, sitePath, structuring } from '../base.js';
import { siteBounds } from '../bounds.js';
import { SiteSectionGroup } from './structure.js';

const base = { service: 'sites', tag: 'Site section groups' } as const;
const path = `${sitePath}/section-groups`;
const onePath = `${path}/{siteSectionGroupId}`;
const params = z.object(siteParams);
const oneParams = z.object({ ...siteParams, siteSectionGroupId: Id });
const title = text(1, 100);
/** The item by its id; in older requests by a member that says what it is. */
const pointer = z.union([
  z.object({ type: z.enum(['site-section-group', 'site-section']), id: Id }),
  z.object({ type: z.literal('site-section-group'), siteSectionGroup: Id }),
  z.object({ type: z.literal('site-section'), siteSection: Id }),
]);

export const listSiteSectionGroups = operation({
  ...base,
  id: 'listSiteSectionGroups',
  method: 'GET',
  path,
  summary: 'List the section groups of a site, in their order',
  access: readingMetadata,
  params,
  query: z.object(paging),
  response: listOf(SiteSectionGroup),
});

export const addSectionGroupToSite = operation({
  ...base,
  id: 'addSectionGroupToSite',
  method: 'POST',
  path,
  summary: 'Add a section group to a site',
  access: structuring,
  params,
  body: z.object({
    title,
    icon: SiteIconName.nullable().optional(),
    sections: z.array(Id).max(siteBounds.atOnce).optional().meta({ description: 'Sections to put in it.' }),
    parent: Id.optional().meta({ description: 'The group to put it in; the top unless given.' }),
  }),
  response: SiteSectionGroup,
  status: 201,
  reasons: ['limit_reached'],
});

export const deleteSiteSectionGroupById = operation({
  ...base,
  id: 'deleteSiteSectionGroupById',
  method: 'DELETE',
  path: onePath,
  summary: 'Remove a section group; what stands in it moves up',
  access: { ...structuring, ...part },
  params: oneParams,
});

export const updateSiteSectionGroupById = operation({
  ...base,
  id: 'updateSiteSectionGroupById',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a section group of a site',
  access: structuring,
  params: oneParams,
  body: z.object({
    title: title.optional(),
    icon: SiteIconName.nullable().optional(),
    parentSectionGroupId: Id.nullable().optional().meta({ description: 'The group to put it in; `null`: the top.' }),
  }),
  response: SiteSectionGroup,
});

export const addSectionToGroup = operation({
  ...base,
  id: 'addSectionToGroup',
  method: 'POST',
  path: `${onePath}/sections`,
  summary: 'Put a section at the end of a section group',
  access: structuring,
  params: oneParams,
  body: z.object({ sectionId: Id }),
  response: SiteSectionGroup,
  status: 201,
});

export const removeSectionFromGroup = operation({
  ...base,
  id: 'removeSectionFromGroup',
  method: 'DELETE',
  path: `${onePath}/sections/{siteSectionId}`,
  summary: 'Move a section out of a section group, up to what the group stands in',
  access: { ...structuring, ...part },
  params: z.object({ ...siteParams, siteSectionGroupId: Id, siteSectionId: Id }),
});

export const moveSiteSectionGroup = operation({
  ...base,
  id: 'moveSiteSectionGroup',
  method: 'POST',
  path: `${onePath}/move`,
  summary: 'Move a section group before or behind another group or a section at the same place',
  access: structuring,
  params: oneParams,
  body: z.object({
    position: z.object({ before: pointer.optional(), after: pointer.optional() }).optional(),
  }),
  bodyOptional: true,
  response: SiteSectionGroup,
  reasons: ['position_invalid'],
  deprecated: { since: '2026-01-01', sunset: '2027-12-31', successor: `${sitePath}/structure/sort` },
});
