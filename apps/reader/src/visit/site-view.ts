import {
  pageAddresses,
  type PublishedContent,
  type PublishedContentSite,
  type SiteCustomization,
  type SitePaths,
  type SiteSection,
  type SiteSectionGroup,
  type SiteSpace,
} from '@scriptorium/contracts';
import type * as z from 'zod';
import { textsOf, type Texts } from '../texts/texts.js';
import { wholeLook } from './look.js';
import { encodedPath } from './pages.js';
import { scriptsAt, type PageScript } from './scripts.js';

/** What the API answers about a site that is shown. */
export type PublishedSite = z.output<typeof PublishedContentSite>;

/** A site as a visitor sees it at an address: what stands on it, and where they are. */
export interface SiteView {
  title: string;
  visibility: PublishedSite['site']['visibility'];
  look: SiteCustomization;
  /** Those of integrations, where the site has a host of its own. */
  scripts: PageScript[];
  /** The language in which pages say what is not content. */
  locale: string;
  say: Texts;
  /** The language of the pages of the present space. */
  contentLocale: string;
  /** The top of the navigation; empty for a site without sections. */
  sections: (SiteSection | SiteSectionGroup)[];
  section: SiteSection | undefined;
  /** The spaces beside the present one, with it. */
  variants: SiteSpace[];
  /** Where the site is known to search engines; absent for one that is not published. */
  published?: string | undefined;
  siteSpace: SiteSpace | undefined;
  /** Where each space of the site is shown, by its id. */
  bases: ReadonlyMap<string, SpaceBase>;
  siteBase: string;
  /** Where the present space is shown. */
  base: string;
  /** Where a page of the present space is shown, by its path. */
  addressOf: (path: string) => string;
  /** What links within the site have behind their path. */
  carried: string;
}

export interface SpaceBase {
  base: string;
  title: string;
  /** Whether it is the one of its variants that is shown first. */
  isDefault: boolean;
  /** Where a page of it is shown: the default space is named where another one would be meant without. */
  addressOf: (path: string) => string;
}

/** Reads what a site shows. Pure. */
export function siteView(published: PublishedSite, at: PublishedContent, carried: string): SiteView {
  const { structure, site, customizations } = published;
  const sections = structure.type === 'sections' ? (structure.structure as (SiteSection | SiteSectionGroup)[]) : [];
  const all = flattened(sections);
  const section = all.find(({ id }) => id === at.siteSection) ?? all.find((one) => hasSpace(one, at.siteSpace));
  const variants = structure.type === 'siteSpaces' ? structure.structure : (section?.siteSpaces ?? []);
  const bases = spaceBases(published, at);
  const siteSpace = variants.find(({ id }) => id === at.siteSpace);
  const look = wholeLook(customizations.siteSpaces[at.siteSpace] ?? customizations.site);
  return {
    // A space may have the site under another title.
    title: look.title,
    visibility: site.visibility,
    look,
    scripts: scriptsAt(published.scripts, at),
    locale: look.internationalization.locale,
    say: textsOf(look.internationalization.locale),
    sections,
    section,
    variants,
    siteSpace,
    contentLocale: languageOf(siteSpace) ?? look.internationalization.locale,
    bases,
    published: site.urls.published,
    siteBase: at.siteBasePath,
    base: bases.get(at.space)?.base ?? at.basePath,
    addressOf: bases.get(at.space)?.addressOf ?? below(at.basePath),
    carried,
  };
}

/** The language of a space, if it says one. */
export function languageOf(siteSpace: SiteSpace | undefined): string | undefined {
  const space = siteSpace?.space;
  return space !== undefined && 'language' in space ? space.language : undefined;
}

function hasSpace({ siteSpaces }: SiteSection, id: string): boolean {
  return siteSpaces.some((one) => one.id === id);
}

/** The sections of a navigation, also those in groups. */
export function flattened(items: readonly (SiteSection | SiteSectionGroup)[]): SiteSection[] {
  return items.flatMap((item) => (item.object === 'site-section' ? [item] : flattened(item.children)));
}

/** What addresses name on a site. Pure. */
export function pathsOf({ structure }: Pick<PublishedSite, 'structure'>): SitePaths<SiteSection, SiteSpace> {
  const sections = structure.type === 'sections' ? flattened(structure.structure) : [];
  const spaces = structure.type === 'sections' ? [] : structure.structure;
  const spacesIn = (section: SiteSection | undefined): readonly SiteSpace[] => section?.siteSpaces ?? spaces;
  return {
    sections,
    defaultSection: standard(sections),
    spacesIn,
    defaultSpaceIn: (section) => standard(spacesIn(section)),
  };
}

function standard<T extends { default?: boolean | undefined }>(all: readonly T[]): T | undefined {
  return all.find((one) => one.default === true) ?? all[0];
}

/** Where the spaces of a site are shown, as the API tells their addresses. */
export function spaceBases(
  published: Pick<PublishedSite, 'structure'>,
  { siteBasePath, basePath, space, changeRequest, revision }: PublishedContent,
): Map<string, SpaceBase> {
  const bases = new Map<string, SpaceBase>();
  const paths = pathsOf(published);
  for (const section of paths.sections.length === 0 ? [undefined] : paths.sections)
    for (const siteSpace of paths.spacesIn(section)) {
      const partsOf = pageAddresses(paths, { section, siteSpace });
      const addressOf = (path: string): string => `${siteBasePath}${partsOf(path).map(encodeURIComponent).join('/')}`;
      const base = partsOf('').length === 0 ? siteBasePath : `${addressOf('')}/`;
      const { id } = siteSpace.space;
      const isDefault = siteSpace === paths.defaultSpaceIn(section);
      if (!bases.has(id)) bases.set(id, { base, title: siteSpace.title, isDefault, addressOf });
    }
  const isPreview = changeRequest !== undefined || revision !== undefined;
  // A space that is not in the navigation, and a preview, are shown where they were asked for.
  if (isPreview || !bases.has(space))
    bases.set(space, { title: '', isDefault: true, ...bases.get(space), base: basePath, addressOf: below(basePath) });
  return bases;
}

function below(base: string): (path: string) => string {
  return (path) => `${base}${encodedPath(path)}`;
}
