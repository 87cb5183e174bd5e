import { AppError, invalid, limitReached, siteBounds } from '@scriptorium/contracts';
import {
  type SiteEvent,
  groupIn,
  groupsOf,
  itemsIn,
  requireActive,
  sectionIn,
  siblingBefore,
  type GroupState,
  type SiteState,
  type Structure,
} from '../../model/index.js';
import { intoGroup, requireGroup } from './sections.js';

export interface NewGroup {
  id: string;
  title: string;
  icon: string | null;
  parent: string | null;
  /** Sections to put in it. */
  sections: readonly string[];
  limits: { sectionGroupsPerSite: number };
}

export function addGroup(state: SiteState, wanted: NewGroup): SiteEvent[] {
  const { structure } = requireActive(state);
  const { id: group, title, icon, parent, sections, limits } = wanted;
  if (groupIn(structure, group) !== undefined) return [];
  requireGroup(structure, parent, 'body.parent');
  if (depthOf(structure, parent) >= siteBounds.groupDepth) throw tooDeep('body.parent');
  if (groupsOf(structure).length >= limits.sectionGroupsPerSite)
    throw limitReached('sectionGroupsPerSite', limits.sectionGroupsPerSite);
  const named = [...new Set(sections)];
  const unknown = sections.findIndex((section) => sectionIn(structure, section) === undefined);
  if (unknown !== -1) throw invalid(`body.sections[${unknown}]`, 'There is no such section on the site');
  const moved = named.map((section, i): SiteEvent => {
    return { type: 'SiteSectionMoved', data: { section, group, after: named[i - 1] ?? null } };
  });
  return [{ type: 'SiteSectionGroupAdded', data: { group, title, icon, parent } }, ...moved];
}

function tooDeep(field: string): AppError {
  return invalid(field, `Section groups stand at most ${siteBounds.groupDepth} deep in each other`);
}

/** How many groups contain what stands in `parent`. */
function depthOf(structure: Structure, parent: string | null): number {
  let depth = 0;
  for (let next = parent; next !== null && depth <= siteBounds.groupDepth; depth += 1)
    next = groupIn(structure, next)?.parent ?? null;
  return depth;
}

/** How many groups stand in each other from this one down, itself included. */
function heightOf(structure: Structure, group: string): number {
  const inner = itemsIn(structure, group).filter(({ kind }) => kind === 'group');
  return 1 + Math.max(0, ...inner.map(({ id }) => heightOf(structure, id)));
}

function isWithin(structure: Structure, id: string | null, group: string): boolean {
  for (let next = id; next !== null; next = groupIn(structure, next)?.parent ?? null) if (next === group) return true;
  return false;
}

export function removeGroup(state: SiteState, group: string): SiteEvent[] {
  const { structure } = requireActive(state);
  return groupIn(structure, group) === undefined ? [] : [{ type: 'SiteSectionGroupRemoved', data: { group } }];
}

export interface GroupChange {
  title?: string | undefined;
  icon?: string | null | undefined;
  /** The group to put it in, `null` for the top. */
  parent?: string | null | undefined;
}

/** @throws AppError `not_found`, `invalid_request` for a group that cannot contain it */
export function changeGroup(state: SiteState, group: string, change: GroupChange): SiteEvent[] {
  const { structure } = requireActive(state);
  const found = requireOwn(structure, group);
  const { title = found.title, icon = found.icon, parent = found.parent } = change;
  const events: SiteEvent[] = [];
  if (title !== found.title) events.push({ type: 'SiteSectionGroupRenamed', data: { group, title } });
  if (icon !== found.icon) events.push({ type: 'SiteSectionGroupIconChanged', data: { group, icon } });
  if (parent === found.parent) return events;
  requireGroup(structure, parent, 'body.parentSectionGroupId');
  const after = itemsIn(structure, parent).at(-1)?.id ?? null;
  return [...events, ...placeGroup(structure, group, { parent, after }, 'body.parentSectionGroupId')];
}

/** Puts a section at the end of a group. */
export function addToGroup(state: SiteState, group: string, section: string): SiteEvent[] {
  const { structure } = requireActive(state);
  requireOwn(structure, group);
  if (sectionIn(structure, section) === undefined)
    throw invalid('body.sectionId', 'There is no such section on the site');
  return intoGroup(structure, section, group, 'body.sectionId');
}

/** Moves a section of a group up, directly behind the group. */
export function removeFromGroup(state: SiteState, group: string, section: string): SiteEvent[] {
  const { structure } = requireActive(state);
  const { parent } = requireOwn(structure, group);
  if (sectionIn(structure, section)?.parent !== group) return [];
  return [{ type: 'SiteSectionMoved', data: { section, group: parent, after: group } }];
}

/** @throws AppError `not_found` */
export function requireOwn(structure: Structure, id: string): GroupState {
  const found = groupIn(structure, id);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/** Puts a group directly behind a sibling, or first. Returns no event if the group is already there. */
export function placeGroup(
  structure: Structure,
  group: string,
  { parent, after }: { parent: string | null; after: string | null },
  field: string,
): SiteEvent[] {
  const found = requireOwn(structure, group);
  if (found.parent === parent && siblingBefore(itemsIn(structure, parent), group) === after) return [];
  if (isWithin(structure, parent, group)) throw invalid(field, 'A section group cannot stand in itself');
  if (depthOf(structure, parent) + heightOf(structure, group) > siteBounds.groupDepth) throw tooDeep(field);
  return [{ type: 'SiteSectionGroupMoved', data: { group, parent, after } }];
}
