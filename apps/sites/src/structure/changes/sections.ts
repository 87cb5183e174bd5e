import { AppError, blaming, invalid, limitReached } from '@scriptorium/contracts';
import {
  type SiteEvent,
  checkedCondition,
  freePath,
  groupIn,
  itemsIn,
  requireActive,
  sectionIn,
  sectionsOf,
  siblingBefore,
  siteSpaceIn,
  siteSpacesIn,
  type ActiveSite,
  type SectionState,
  type SiteSpaceState,
  type SiteState,
  type Structure,
} from '../../model/index.js';
import { spaceAdded, type NewSiteSpace } from './site-spaces.js';

export interface NewSection {
  id: string;
  /** The id of the section that the spaces of the site get when this is the first one. */
  wrapping: string;
  /** `null`: that of the space. */
  title: string | null;
  icon: string | null;
  group: string | null;
  added: NewSiteSpace;
  limits: { sectionsPerSite: number; siteSpacesPerSite: number };
}

/** Adds a section with a space. The first one wraps the spaces that are on the site into a section of their own. */
export function addSection(state: SiteState, wanted: NewSection): SiteEvent[] {
  const active = requireActive(state);
  const { structure } = active;
  const { id, icon, group, added, limits } = wanted;
  if (sectionIn(structure, id) !== undefined) return [];
  requireGroup(structure, group, 'body.siteSectionGroupId');
  const wraps = wrapping(active, wanted.wrapping);
  const sections = sectionsOf(structure);
  if (sections.length + wraps.length >= limits.sectionsPerSite)
    throw limitReached('sectionsPerSite', limits.sectionsPerSite);
  const title = padded(wanted.title ?? added.space.title);
  const taken = new Set([...sections, ...wraps.map(({ data }) => data)].map(({ path }) => path));
  const path = freePath(title, taken, 'section');
  return [
    ...wraps,
    { type: 'SiteSectionAdded', data: { section: id, title, path, icon, group } },
    spaceAdded(structure, { section: id, added, limits }),
  ];
}

type Wrapped = Extract<SiteEvent, { type: 'SiteSpacesWrapped' }>;

function wrapping({ structure, title }: ActiveSite, id: string): Wrapped[] {
  if (sectionsOf(structure).length > 0 || structure.siteSpaces.length === 0) return [];
  const path = freePath(title, new Set(), 'section');
  return [{ type: 'SiteSpacesWrapped', data: { section: id, title: padded(title), path } }];
}

/** A title of a section has at least two characters. */
function padded(title: string): string {
  const trimmed = title.trim();
  return trimmed === '' ? 'Untitled' : title.length < 2 ? `${title} ` : title;
}

/** Removes a section with its spaces; those of the last one stay on the site, for whom the section was shown. */
export function removeSection(state: SiteState, section: string): SiteEvent[] {
  const { structure } = requireActive(state);
  const found = sectionIn(structure, section);
  if (found === undefined) return [];
  const spaces = siteSpacesIn(structure, section);
  if (sectionsOf(structure).length === 1)
    return [...inheriting(found, spaces), { type: 'SiteSpacesUnwrapped', data: { section } }];
  return [
    ...spaces.map(({ id }) => ({ type: 'SiteSpaceRemoved', data: { siteSpace: id } }) as const),
    { type: 'SiteSectionRemoved', data: { section } },
  ];
}

/** The condition of a section becomes one of each of its spaces. */
function inheriting({ condition }: SectionState, spaces: readonly SiteSpaceState[]): SiteEvent[] {
  if (condition === null) return [];
  return spaces.map(({ id: siteSpace, condition: own }) => ({
    type: 'SiteSpaceConditionChanged',
    data: { siteSpace, condition: own === null ? condition : `(${condition}) && (${own})` },
  }));
}

export interface SectionChange {
  title?: string | undefined;
  path?: string | undefined;
  defaultSiteSpace?: string | undefined;
  condition?: string | null | undefined;
  icon?: string | null | undefined;
  description?: string | null | undefined;
  /** The group to put it in, `null` for the top. */
  group?: string | null | undefined;
}

/**
 * @throws AppError `not_found`, `already_exists` (path), `condition_invalid`, `invalid_request` for another site space
 * or group
 */
export function changeSection(state: SiteState, section: string, change: SectionChange): SiteEvent[] {
  const active = requireActive(state);
  const { structure } = active;
  const found = requireSection(structure, section);
  return [
    ...changedTexts(active, found, change),
    ...changedDefault(structure, found, change.defaultSiteSpace),
    ...(change.group === undefined ? [] : intoGroup(structure, section, change.group, 'body.siteSectionGroupId')),
  ];
}

function changedTexts(active: ActiveSite, found: SectionState, change: SectionChange): SiteEvent[] {
  const { id: section } = found;
  const { title = found.title, path = found.path, icon = found.icon } = change;
  const description = change.description === '' ? null : (change.description ?? null);
  const events: SiteEvent[] = [];
  if (title !== found.title) events.push({ type: 'SiteSectionRenamed', data: { section, title } });
  if (path !== found.path) {
    if (sectionsOf(active.structure).some((one) => one.id !== section && one.path === path))
      throw blaming('already_exists', 'body.path', 'Another section has this path');
    events.push({ type: 'SiteSectionPathChanged', data: { section, path } });
  }
  if (icon !== found.icon) events.push({ type: 'SiteSectionIconChanged', data: { section, icon } });
  if (change.description !== undefined && description !== found.description)
    events.push({ type: 'SiteSectionDescriptionChanged', data: { section, description } });
  if (change.condition === undefined) return events;
  const condition = checkedCondition(active, change.condition, 'body.condition');
  return condition === found.condition
    ? events
    : [...events, { type: 'SiteSectionConditionChanged', data: { section, condition } }];
}

function changedDefault(structure: Structure, { id, defaultSpace }: SectionState, wanted?: string): SiteEvent[] {
  if (wanted === undefined || wanted === defaultSpace) return [];
  if (siteSpaceIn(structure, wanted)?.section !== id)
    throw invalid('body.defaultSiteSpace', 'There is no such site space in the section');
  return [{ type: 'SiteDefaultSpaceChanged', data: { section: id, siteSpace: wanted } }];
}

/** Puts a section at the end of a group, or of the top. Returns no event if the section is already there. */
export function intoGroup(structure: Structure, section: string, group: string | null, field: string): SiteEvent[] {
  requireGroup(structure, group, field);
  if (requireSection(structure, section).parent === group) return [];
  const after = itemsIn(structure, group).at(-1)?.id ?? null;
  return [{ type: 'SiteSectionMoved', data: { section, group, after } }];
}

/** @throws AppError `not_found` */
export function requireSection(structure: Structure, id: string): SectionState {
  const found = sectionIn(structure, id);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/** @throws AppError `invalid_request` that names the field */
export function requireGroup(structure: Structure, id: string | null, field: string): void {
  if (id !== null && groupIn(structure, id) === undefined)
    throw invalid(field, 'There is no such section group on the site');
}

/** Puts a section directly behind a sibling, or first. Returns no event if the section is already there. */
export function placeSection(
  structure: Structure,
  section: string,
  { parent, after }: { parent: string | null; after: string | null },
): SiteEvent[] {
  const found = requireSection(structure, section);
  if (found.parent === parent && siblingBefore(itemsIn(structure, parent), section) === after) return [];
  return [{ type: 'SiteSectionMoved', data: { section, group: parent, after } }];
}
