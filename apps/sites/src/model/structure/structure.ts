import type { SitePaths } from '@scriptorium/contracts';

/** A space on a site. */
export interface SiteSpaceState {
  id: string;
  space: string;
  /** The section in which it stands; `null` on a site without sections. */
  section: string | null;
  path: string;
  condition: string | null;
  hidden: boolean;
}

export interface SectionState {
  kind: 'section';
  id: string;
  title: string;
  path: string;
  description: string | null;
  icon: string | null;
  condition: string | null;
  /** The group in which it stands. */
  parent: string | null;
  /** The site space that is its default. */
  defaultSpace: string | null;
}

export interface GroupState {
  kind: 'group';
  id: string;
  title: string;
  icon: string | null;
  parent: string | null;
}

export type ItemState = SectionState | GroupState;

/** What stands on a site. Siblings stand in these lists in their order, with others between them. */
export interface Structure {
  /** Sections and groups, which are siblings of each other. */
  readonly items: readonly ItemState[];
  readonly siteSpaces: readonly SiteSpaceState[];
  readonly defaultSection: string | null;
  /** The default of a site without sections. */
  readonly defaultSpace: string | null;
}

export const emptyStructure: Structure = { items: [], siteSpaces: [], defaultSection: null, defaultSpace: null };

export function sectionsOf({ items }: Pick<Structure, 'items'>): SectionState[] {
  return items.filter((item) => item.kind === 'section');
}

export function groupsOf({ items }: Pick<Structure, 'items'>): GroupState[] {
  return items.filter((item) => item.kind === 'group');
}

export function sectionIn({ items }: Pick<Structure, 'items'>, id: string): SectionState | undefined {
  return items.find((item): item is SectionState => item.kind === 'section' && item.id === id);
}

export function groupIn({ items }: Pick<Structure, 'items'>, id: string): GroupState | undefined {
  return items.find((item): item is GroupState => item.kind === 'group' && item.id === id);
}

export function siteSpaceIn({ siteSpaces }: Pick<Structure, 'siteSpaces'>, id: string): SiteSpaceState | undefined {
  return siteSpaces.find((one) => one.id === id);
}

/** The spaces of a section, or of a site without sections, in their order. */
export function siteSpacesIn({ siteSpaces }: Pick<Structure, 'siteSpaces'>, section: string | null): SiteSpaceState[] {
  return siteSpaces.filter((one) => one.section === section);
}

/** What stands directly in a group, or at the top, in its order. */
export function itemsIn({ items }: Pick<Structure, 'items'>, parent: string | null): ItemState[] {
  return items.filter((item) => item.parent === parent);
}

/** Sections and groups in the order in which they stand, each group directly before what is in it. */
export function inOrder(structure: Pick<Structure, 'items'>, parent: string | null = null): ItemState[] {
  return itemsIn(structure, parent).flatMap((item) =>
    item.kind === 'group' ? [item, ...inOrder(structure, item.id)] : [item],
  );
}

/** All spaces of a site in the order in which they stand. */
export function siteSpacesInOrder(structure: Structure): SiteSpaceState[] {
  const sections = inOrder(structure).filter(({ kind }) => kind === 'section');
  return sections.length === 0
    ? siteSpacesIn(structure, null)
    : sections.flatMap(({ id }) => siteSpacesIn(structure, id));
}

/** The one behind which something stands; `null` for the first one. */
export function siblingBefore(siblings: readonly { id: string }[], id: string): string | null {
  const index = siblings.findIndex((one) => one.id === id);
  return siblings[index - 1]?.id ?? null;
}

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
