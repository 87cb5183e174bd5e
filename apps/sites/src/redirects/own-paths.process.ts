import type { RedirectDestination } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import {
  isDefaultSpace,
  sectionIn,
  siteSpaceIn,
  siteSpacesIn,
  siteSpacesInOrder,
  type RecordedSite,
  type SiteSpaceState,
  type Structure,
} from '../model/index.js';
import { locateFirst } from './locate-first.process.js';

/**
 * The paths at which a site shows where a redirect leads; none of an address. A redirect of one of them would lead to
 * itself.
 */
export async function ownPathsOf(
  call: Call,
  { organization, structure }: RecordedSite,
  destination: RedirectDestination,
): Promise<string[]> {
  if (destination.kind === 'url' || destination.kind === 'external') return [];
  if (destination.kind === 'site-section') {
    const section = sectionIn(structure, destination.siteSectionId);
    const byDefault = siteSpacesIn(structure, section?.id ?? null).find((one) => isDefaultSpace(structure, one));
    return section === undefined || byDefault === undefined ? [] : pathsAt(structure, byDefault, '');
  }
  if (destination.kind === 'site-space') {
    const siteSpace = siteSpaceIn(structure, destination.siteSpaceId);
    return siteSpace === undefined ? [] : pathsAt(structure, siteSpace, '');
  }
  const { page, among } = pageOf(structure, destination);
  const found = await locateFirst(call, { organization, spaces: among.map(({ space }) => space), page });
  const siteSpace = found && among[found.index];
  return found === undefined || siteSpace === undefined ? [] : pathsAt(structure, siteSpace, found.path);
}

function pageOf(
  structure: Structure,
  destination: Extract<RedirectDestination, { kind: 'page' | 'site-page' }>,
): { page: string; among: SiteSpaceState[] } {
  const all = siteSpacesInOrder(structure);
  return destination.kind === 'page'
    ? {
        page: destination.page,
        among: all.filter(({ space }) => destination.space === undefined || destination.space === space),
      }
    : { page: destination.pageId, among: all.filter(({ id }) => id === destination.siteSpaceId) };
}

/** The default section and the default space need not be named. */
function pathsAt(structure: Structure, siteSpace: SiteSpaceState, path: string): string[] {
  const { defaultSection } = structure;
  const section = siteSpace.section === null ? undefined : sectionIn(structure, siteSpace.section);
  const sections = section === undefined ? [[]] : [[section.path], ...(section.id === defaultSection ? [[]] : [])];
  const spaces = [[siteSpace.path], ...(isDefaultSpace(structure, siteSpace) ? [[]] : [])];
  const below = path === '' ? [] : [path];
  return sections.flatMap((first) => spaces.map((second) => `/${[...first, ...second, ...below].join('/')}`));
}
