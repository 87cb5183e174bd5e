import { AppError, blaming, invalid, limitReached } from '@scriptorium/contracts';
import {
  type SiteEvent,
  checkedCondition,
  freePath,
  requireActive,
  sectionIn,
  sectionsOf,
  siblingBefore,
  siteSpaceIn,
  siteSpacesIn,
  type SiteSpaceState,
  type SiteState,
  type Structure,
} from '../../model/index.js';

/** A space that is put on a site: `id` is that of the site space. */
export interface NewSiteSpace {
  id: string;
  space: { id: string; title: string };
}

interface Limits {
  siteSpacesPerSite: number;
}

/** Puts a space on a site. `section`: the default one unless given. */
export function addSpace(
  state: SiteState,
  { section, added, limits }: { section: string | undefined; added: NewSiteSpace; limits: Limits },
): SiteEvent[] {
  const { structure } = requireActive(state);
  if (siteSpaceIn(structure, added.id) !== undefined) return [];
  if (section !== undefined && sectionIn(structure, section) === undefined)
    throw invalid('body.sectionId', 'There is no such section on the site');
  return [spaceAdded(structure, { section: section ?? defaultSection(structure), added, limits })];
}

/**
 * Puts a copy of a space directly after it, for whom that is shown. `of`: the site space.
 * @throws AppError `not_found`, `limit_reached`
 */
export function duplicateSpace(
  state: SiteState,
  { of, added, limits }: { of: string; added: NewSiteSpace; limits: Limits },
): SiteEvent[] {
  const { structure } = requireActive(state);
  const { section, condition, hidden } = requireSpace(structure, of);
  const { id: siteSpace } = added;
  if (siteSpaceIn(structure, siteSpace) !== undefined) return [];
  return [
    spaceAdded(structure, { section, added, limits }),
    { type: 'SiteSpaceMoved', data: { siteSpace, section, after: of } },
    ...(condition === null ? [] : [{ type: 'SiteSpaceConditionChanged', data: { siteSpace, condition } } as const]),
    ...(hidden ? [{ type: 'SiteSpaceHidden', data: { siteSpace } } as const] : []),
  ];
}

/** @throws AppError `already_exists` for a space that is on the site, `limit_reached` */
export function spaceAdded(
  structure: Structure,
  { section, added, limits }: { section: string | null; added: NewSiteSpace; limits: Limits },
): SiteEvent {
  const { id, space } = added;
  refuseTwice(structure, space.id);
  if (structure.siteSpaces.length >= limits.siteSpacesPerSite)
    throw limitReached('siteSpacesPerSite', limits.siteSpacesPerSite);
  const taken = new Set(siteSpacesIn(structure, section).map(({ path }) => path));
  const path = freePath(space.title, taken, 'space');
  return { type: 'SiteSpaceAdded', data: { siteSpace: id, space: space.id, section, path } };
}

function refuseTwice({ siteSpaces }: Structure, space: string): void {
  if (siteSpaces.some((one) => one.space === space))
    throw blaming('already_exists', 'body.spaceId', 'The space is on the site already');
}

function defaultSection(structure: Structure): string | null {
  return structure.defaultSection ?? sectionsOf(structure)[0]?.id ?? null;
}

export function removeSpace(state: SiteState, siteSpace: string): SiteEvent[] {
  const { structure } = requireActive(state);
  return siteSpaceIn(structure, siteSpace) === undefined ? [] : [{ type: 'SiteSpaceRemoved', data: { siteSpace } }];
}

/** A space is gone for good: it stands on no site any more. */
export function removeEverywhere(state: SiteState, space: string): SiteEvent[] {
  if (state.status === 'absent') return [];
  return state.structure.siteSpaces
    .filter((one) => one.space === space)
    .map(({ id }) => ({ type: 'SiteSpaceRemoved', data: { siteSpace: id } }));
}

export interface SpaceChange {
  path?: string | undefined;
  condition?: string | null | undefined;
  /** Another space to show. */
  space?: string | undefined;
  hidden?: boolean | undefined;
}

/** @throws AppError `not_found`, `already_exists` (path, space), `condition_invalid` */
export function changeSpace(state: SiteState, id: string, change: SpaceChange): SiteEvent[] {
  const active = requireActive(state);
  const { structure } = active;
  const found = requireSpace(structure, id);
  const { path = found.path, space = found.space, hidden = found.hidden } = change;
  const condition =
    change.condition === undefined ? found.condition : checkedCondition(active, change.condition, 'body.condition');
  const events: SiteEvent[] = [];
  if (path !== found.path) {
    refusePath(structure, { ...found, path }, 'body.path');
    events.push({ type: 'SiteSpacePathChanged', data: { siteSpace: id, path } });
  }
  if (condition !== found.condition)
    events.push({ type: 'SiteSpaceConditionChanged', data: { siteSpace: id, condition } });
  if (space !== found.space) {
    refuseTwice(structure, space);
    events.push({ type: 'SiteSpaceReplaced', data: { siteSpace: id, space } });
  }
  if (hidden !== found.hidden)
    events.push({ type: hidden ? 'SiteSpaceHidden' : 'SiteSpaceShown', data: { siteSpace: id } });
  return events;
}

function refusePath(structure: Structure, { id, section, path }: SiteSpaceState, field: string): void {
  if (siteSpacesIn(structure, section).some((one) => one.id !== id && one.path === path))
    throw blaming('already_exists', field, 'Another space there has this path');
}

/** @throws AppError `not_found` */
export function requireSpace(structure: Structure, id: string): SiteSpaceState {
  const found = siteSpaceIn(structure, id);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/** Puts a space directly behind another one in a section, or first. Returns no event if the space is already there. */
export function placeSpace(
  structure: Structure,
  id: string,
  { section, after }: { section: string | null; after: string | null },
): SiteEvent[] {
  const found = requireSpace(structure, id);
  const siblings = siteSpacesIn(structure, section);
  if (found.section === section && siblingBefore(siblings, id) === after) return [];
  if (found.section !== section) refusePath(structure, { ...found, section }, 'body.position');
  return [{ type: 'SiteSpaceMoved', data: { siteSpace: id, section, after } }];
}
