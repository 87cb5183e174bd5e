import { organizationFacts, ServiceAccess } from '@scriptorium/access';
import {
  getSiteLlmsText,
  getSiteRobotsText,
  getSiteSitemap,
  listPublishedPages,
  type InputOf,
} from '@scriptorium/contracts';
import { ask, Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import {
  defaultSpace,
  Publishing,
  requireSite,
  sectionIn,
  showingTo,
  siteAddress,
  siteSpacesInOrder,
  viewerOf,
  viewPublished,
  type StructureView,
} from '../model/index.js';
import { linkWithKey } from '../share-links/index.js';
import { canonicalAddresses } from '../publishing/index.js';
import { pagesInLanguages, type ListedPage } from './pages-in-languages.js';
import { llmsText, robotsText, sitemap } from './site-texts.js';

type Input = InputOf<typeof getSiteLlmsText>;
interface SitePage extends ListedPage {
  noIndex: boolean;
  noRobotsIndex: boolean;
}

/** Sites as texts for programs. */
@Controller()
export class SiteTextsController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  @Handles(getSiteLlmsText)
  async llms(input: Input, call: Call) {
    const { title, groups } = await this.pages(call, input);
    return llmsText(
      title,
      groups.map((group) => ({ ...group, pages: group.pages.filter(({ noIndex }) => !noIndex) })),
    );
  }

  @Handles(getSiteSitemap)
  async sitemap(input: Input, call: Call) {
    const { groups } = await this.pages(call, input);
    const listed = groups.map((group) => ({
      ...group,
      pages: group.pages.filter(({ noRobotsIndex }) => !noRobotsIndex),
    }));
    return sitemap(pagesInLanguages(listed));
  }

  @Handles(getSiteRobotsText)
  async robots({ params }: InputOf<typeof getSiteRobotsText>, call: Call) {
    const { site } = await requireSite(call, this.access, call.principal, params);
    const facts = await call.store.read(organizationFacts).byId(site.organization);
    const isListed = site.published && site.visibility === 'public';
    return robotsText(isListed ? siteAddress(this.publishing.place, facts?.hostname ?? '', site) : undefined);
  }

  /** The pages that the caller sees, space by space. */
  private async pages(call: Call, { params, query }: Input) {
    const { site, place } = await requireSite(call, this.access, call.principal, params);
    const { viewer, shareKey } = viewerOf(call.principal, query.shareKey);
    const isValid =
      shareKey !== undefined && linkWithKey(call, { site: site._id, links: site.links }, shareKey) !== undefined;
    const view = await viewPublished(call, this, showingTo(viewer, { site, place }, isValid ? shareKey : undefined));
    const facts = await call.store.read(organizationFacts).byId(site.organization);
    const address = view.address ?? siteAddress(this.publishing.place, facts?.hostname ?? '', site);
    const { organization } = site;
    const spaces = view.structure.siteSpaces.map(({ space }) => space);
    const { items } = await ask(call, listPublishedPages, { organization, spaces });
    const listedOf = new Map(items.map((one) => [one.space, one]));
    const groups = siteSpacesInOrder(view.structure).map((siteSpace) => ({
      title: view.titles.get(siteSpace.space) ?? '',
      ...listedSpace(view.structure, siteSpace, address, listedOf.get(siteSpace.space)),
    }));
    return { title: site.title, groups };
  }
}

type Listed = z.output<typeof listPublishedPages.response>['items'][number];

function listedSpace(
  structure: Structure,
  siteSpace: Structure['siteSpaces'][number],
  address: string,
  { language, pages: listed }: Omit<Listed, 'space'> = { pages: [] },
) {
  const partsOf = addressesIn(structure, siteSpace);
  const { space, section } = siteSpace;
  const pages = listed.map((page): SitePage => ({
    ...page,
    id: page.id ?? page.path,
    url: `${address}${partsOf(page.path).map(encodeURIComponent).join('/')}`,
  }));
  const isDefault = siteSpace.id === defaultSpace(structure, section)?.id;
  return { space, section, language, isDefault, pages };
}

type Structure = StructureView['structure'];

function addressesIn(structure: Structure, siteSpace: Structure['siteSpaces'][number]): (path: string) => string[] {
  const section = siteSpace.section === null ? undefined : sectionIn(structure, siteSpace.section);
  return canonicalAddresses({ listed: structure, all: structure }, { section, siteSpace });
}
