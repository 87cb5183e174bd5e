import type { SitePaths } from '@scriptorium/contracts';
import {
  sectionIn,
  sectionsOf,
  siteSpacesIn,
  type SectionState,
  type SiteSpaceState,
  type Structure,
} from './structure.js';

/** What addresses name on a site. The default ones are among those that are listed, if there are any. Pure. */
export function pathsOf(among: Structure, listed: Structure = among): SitePaths<SectionState, SiteSpaceState> {
  const within = (section: SectionState | undefined): string | null => section?.id ?? null;
  return {
    sections: sectionsOf(among),
    defaultSection: defaultSection(listed) ?? defaultSection(among),
    spacesIn: (section) => siteSpacesIn(among, within(section)),
    defaultSpaceIn: (section) => defaultSpace(listed, within(section)) ?? defaultSpace(among, within(section)),
  };
}

function defaultSection(structure: Structure): SectionState | undefined {
  const sections = sectionsOf(structure);
  return sections.find(({ id }) => id === structure.defaultSection) ?? sections[0];
}

/** The space of a section, or of a site without sections, that need not be named. */
export function defaultSpace(structure: Structure, section: string | null): SiteSpaceState | undefined {
  const spaces = siteSpacesIn(structure, section);
  const byDefault = section === null ? structure.defaultSpace : (sectionIn(structure, section)?.defaultSpace ?? null);
  return spaces.find(({ id }) => id === byDefault) ?? spaces[0];
}
