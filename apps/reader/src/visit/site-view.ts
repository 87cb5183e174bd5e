import type {
  PublishedContent,
  PublishedContentSite,
  SiteCustomization,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
} from '@scriptorium/contracts';
import type * as z from 'zod';

/** What the API answers about a site that is shown. */
export type PublishedSite = z.output<typeof PublishedContentSite>;

/** A site as a visitor sees it at an address: what stands on it, and where they are. */
export interface SiteView {
  title: string;
  visibility: PublishedSite['site']['visibility'];
  look: SiteCustomization;
  /** The top of the navigation; empty for a site without sections. */
  sections: (SiteSection | SiteSectionGroup)[];
  section: SiteSection | undefined;
  /** The spaces beside the present one, with it. */
  variants: SiteSpace[];
  siteSpace: SiteSpace | undefined;
  /** Where each space of the site is shown, by its id. */
  bases: ReadonlyMap<string, SpaceBase>;
  siteBase: string;
  /** Where the present space is shown. */
  base: string;
  /** What links within the site have behind their path. */
  carried: string;
}

export interface SpaceBase {
  base: string;
  title: string;
}

/** Reads what a site shows. Pure. */
export function siteView(published: PublishedSite, at: PublishedContent, carried: string): SiteView {
  const { structure, site, customizations } = published;
  const sections = structure.type === 'sections' ? (structure.structure as (SiteSection | SiteSectionGroup)[]) : [];
  const all = flattened(sections);
  const section = all.find(({ id }) => id === at.siteSection) ?? all.find((one) => hasSpace(one, at.siteSpace));
  const variants = structure.type === 'siteSpaces' ? structure.structure : (section?.siteSpaces ?? []);
  const look = customizations.siteSpaces[at.siteSpace] ?? customizations.site;
  return {
    // A space may have the site under another title.
    title: look.title,
    visibility: site.visibility,
    look,
    sections,
    section,
    variants,
    siteSpace: variants.find(({ id }) => id === at.siteSpace),
    bases: spaceBases(published, at),
    siteBase: at.siteBasePath,
    base: at.basePath,
    carried,
  };
}

function hasSpace({ siteSpaces }: SiteSection, id: string): boolean {
  return siteSpaces.some((one) => one.id === id);
}

/** The sections of a navigation, also those in groups. */
export function flattened(items: readonly (SiteSection | SiteSectionGroup)[]): SiteSection[] {
  return items.flatMap((item) => (item.object === 'site-section' ? [item] : flattened(item.children)));
}

/** The default section and the default space of a section contribute nothing to an address. */
export function spaceBases(
  { structure }: PublishedSite,
  { siteBasePath, basePath, space }: PublishedContent,
): Map<string, SpaceBase> {
  const bases = new Map<string, SpaceBase>();
  const add = (siteSpaces: readonly SiteSpace[], prefix: string): void => {
    const standard = siteSpaces.find((one) => one.default === true) ?? siteSpaces[0];
    for (const one of siteSpaces) {
      const base = one === standard ? prefix : `${prefix}${encodeURIComponent(one.path)}/`;
      if (!bases.has(one.space.id)) bases.set(one.space.id, { base, title: one.title });
    }
  };
  if (structure.type === 'siteSpaces') add(structure.structure, siteBasePath);
  else {
    const sections = flattened(structure.structure);
    const standard = sections.find((one) => one.default === true) ?? sections[0];
    for (const one of sections)
      add(one.siteSpaces, one === standard ? siteBasePath : `${siteBasePath}${encodeURIComponent(one.path)}/`);
  }
  // Also that of a preview, and of a space that is not in the navigation.
  const own = bases.get(space);
  bases.set(space, { title: '', ...own, base: basePath });
  return bases;
}
