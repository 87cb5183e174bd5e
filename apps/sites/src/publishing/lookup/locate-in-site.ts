import { pageAddresses, readingsOfPath } from '@scriptorium/contracts';
import {
  defaultSpace,
  pathsOf,
  sectionsOf,
  siteSpacesIn,
  type SectionState,
  type SiteSpaceState,
  type Structure,
} from '../../model/index.js';

/** What the path of an address leads to within a site. */
export interface LocatedInSite {
  section: SectionState | undefined;
  siteSpace: SiteSpaceState;
  /** The parts of the path that name the section, the space and the preview. */
  base: string[];
  preview: { changeRequest: string } | { revision: string } | undefined;
  /** The path of the page, without slashes at its ends; empty for the beginning of the space. */
  path: string;
  /** What a longer path could name next. */
  next: 'section' | 'space' | undefined;
}

/** What a visitor sees: `listed` without hidden spaces, from which the defaults are taken, and `all` with them. */
export interface SeenStructure {
  listed: Structure;
  all: Structure;
}

/**
 * The ways to read a path, that which counts first at the beginning: the section, the space in it, a preview, then the
 * page. What is listed comes before what is hidden. None when the site shows no space at all. Pure.
 */
export function locationsInSite({ listed, all }: SeenStructure, parts: readonly string[]): LocatedInSite[] {
  const shown = [listed, ...(all === listed ? [] : [all])].flatMap((among) =>
    readingsOfPath(pathsOf(among, listed), parts),
  );
  return shown.map(({ section, siteSpace, base, rest, next }) => {
    const preview = previewIn(rest);
    const taken = preview === undefined ? 0 : 3;
    return {
      section,
      siteSpace,
      base: [...base, ...rest.slice(0, taken)],
      preview,
      path: rest.slice(taken).join('/'),
      next,
    };
  });
}

/** The space of a section at which somebody arrives who names none. */
export function defaultSpaceIn({ listed, all }: SeenStructure, section: SectionState): SiteSpaceState | undefined {
  return defaultSpace(listed, section.id) ?? defaultSpace(all, section.id);
}

/**
 * Whether no longer path could name a section or a space which this one does not: then a client that tries the
 * beginnings of an address one after the other has found the space, and the rest is the path of a page. `structure`:
 * all that stands on the site, since an address names what some visitors see for those who do not see it, too. A
 * section or space without siblings needs no name. Pure.
 */
export function isComplete(
  structure: Structure,
  locations: readonly LocatedInSite[],
  { section, siteSpace, base, next }: LocatedInSite,
): boolean {
  const hasSections = sectionsOf(structure).length > 1;
  const hasSpaces = (within: SectionState | undefined): boolean =>
    siteSpacesIn(structure, within?.id ?? null).length > 1;
  if (next !== undefined && (hasSpaces(section) || (next === 'section' && hasSections))) return false;
  const index = locations.findIndex((one) => one.siteSpace.id === siteSpace.id && one.base.length === base.length);
  // A page that is not below the one which was found may still be where the rest of the names leads.
  return !locations
    .slice(index + 1)
    .some((other) => other.base.length > base.length && (hasSections || hasSpaces(other.section)));
}

function previewIn([tilde, kind, id = '']: readonly string[]): LocatedInSite['preview'] {
  if (tilde !== '~' || !/^[\w-]{1,128}$/.test(id)) return undefined;
  if (kind === 'changes') return { changeRequest: id };
  return kind === 'revisions' ? { revision: id } : undefined;
}

/**
 * The parts of the path under which a page is told: in navigation, site maps and links, and to search engines. What is
 * the default is named where another section or space would be meant without. `path`: empty for the beginning of the
 * space.
 */
export function canonicalParts(
  seen: SeenStructure,
  place: Pick<LocatedInSite, 'section' | 'siteSpace'>,
  path = '',
): string[] {
  return canonicalAddresses(seen, place)(path);
}

/** `canonicalParts` of many pages of a space. A hidden space is named among all, and comes behind what is listed. */
export function canonicalAddresses(
  { listed, all }: SeenStructure,
  place: Pick<LocatedInSite, 'section' | 'siteSpace'>,
): (path: string) => string[] {
  const isListed = listed.siteSpaces.some(({ id }) => id === place.siteSpace.id);
  return pageAddresses(pathsOf(isListed ? listed : all, listed), place);
}
