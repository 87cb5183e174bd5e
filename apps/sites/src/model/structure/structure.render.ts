import {
  pageAddresses,
  referTo,
  type SiteSection,
  type SiteSectionGroup,
  type SiteSpace,
  type SiteStructure,
} from '@scriptorium/contracts';
import {
  itemsIn,
  pathsOf,
  sectionIn,
  sectionsOf,
  siteSpacesIn,
  type GroupState,
  type SectionState,
  type SiteSpaceState,
  type Structure,
} from './structure.js';

/** What stands on a site, to be shown. */
export interface StructureView {
  structure: Structure;
  /** Titles of spaces by id. */
  titles: ReadonlyMap<string, string>;
  /** The address of the published site, with a slash at its end; `undefined` when it has none for whoever asks. */
  address: string | undefined;
}

export function renderSiteSpace(view: StructureView, siteSpace: SiteSpaceState): SiteSpace {
  const { id, path, section, space, condition, hidden } = siteSpace;
  return {
    object: 'site-space',
    id,
    path,
    ...(section === null ? {} : { section }),
    space: referTo('space', space),
    title: view.titles.get(space) ?? '',
    default: isDefaultSpace(view.structure, siteSpace),
    ...(condition === null ? {} : { condition }),
    hasAdvancedCustomizationFeature: false,
    hidden,
    urls: published(siteSpaceAddress(view, siteSpace)),
  };
}

export function renderSection(view: StructureView, section: SectionState): SiteSection {
  const { id, title, description, path, condition, icon, parent } = section;
  return {
    object: 'site-section',
    id,
    title,
    ...(description === null ? {} : { description }),
    default: view.structure.defaultSection === id,
    path,
    ...(condition === null ? {} : { condition }),
    ...(parent === null ? {} : { sectionGroup: parent }),
    ...(icon === null ? {} : { icon }),
    siteSpaces: siteSpacesIn(view.structure, id).map((one) => renderSiteSpace(view, one)),
    urls: published(sectionAddress(view, section)),
  };
}

export function renderGroup(view: StructureView, { id, title, icon, parent }: GroupState): SiteSectionGroup {
  const children = renderItems(view, id);
  return {
    object: 'site-section-group',
    id,
    title,
    ...(parent === null ? {} : { sectionGroup: parent }),
    ...(icon === null ? {} : { icon }),
    children,
    sections: children.filter((child) => child.object === 'site-section'),
  };
}

function renderItems(view: StructureView, parent: string | null): (SiteSection | SiteSectionGroup)[] {
  return itemsIn(view.structure, parent).map((item) =>
    item.kind === 'section' ? renderSection(view, item) : renderGroup(view, item),
  );
}

export function renderStructure(view: StructureView): SiteStructure {
  if (sectionsOf(view.structure).length > 0) return { type: 'sections', structure: renderItems(view, null) };
  const siteSpaces = siteSpacesIn(view.structure, null);
  return { type: 'siteSpaces', structure: siteSpaces.map((one) => renderSiteSpace(view, one)) };
}

/** Whether a space is the default of its section, or of a site without sections. */
export function isDefaultSpace(structure: Structure, { id, section }: SiteSpaceState): boolean {
  return (section === null ? structure.defaultSpace : sectionIn(structure, section)?.defaultSpace) === id;
}

/** The address of a section; the default one has that of the site. */
function sectionAddress(
  { structure, address }: Pick<StructureView, 'structure' | 'address'>,
  { id, path }: SectionState,
): string | undefined {
  return address === undefined || structure.defaultSection === id ? address : `${address}${path}/`;
}

/** The address of a space on a site; the default one has that of its section. */
export function siteSpaceAddress(
  { structure, address }: Pick<StructureView, 'structure' | 'address'>,
  siteSpace: SiteSpaceState,
): string | undefined {
  if (address === undefined) return undefined;
  const section = siteSpace.section === null ? undefined : sectionIn(structure, siteSpace.section);
  const parts = pageAddresses(pathsOf(structure), { section, siteSpace })('');
  return `${address}${parts.map((part) => `${part}/`).join('')}`;
}

function published(address: string | undefined): { published?: string } {
  return address === undefined ? {} : { published: address };
}
