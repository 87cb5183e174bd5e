import { offeredLanguages, samePage } from '@scriptorium/contracts';
import type { Content } from './content.js';
import type { DocumentPage, PageIndex } from './pages.js';
import { languageOf, type SiteView } from './site-view.js';

/** The page of each other space of a section that is the same one, by the ids of the spaces. */
export type SamePages = ReadonlyMap<string, DocumentPage>;

/** Spaces of a section whose pages are read for a page of one of them. */
const mostSpaces = 50;

/**
 * Finds the present page in the other spaces of its section: that which its author names, or which has the same id or
 * path. Spaces that cannot be read now are left out.
 */
export async function samePages(content: Content, view: SiteView, page: DocumentPage): Promise<SamePages> {
  const others = view.variants.map(({ space }) => space.id).filter((id) => id !== content.at.space);
  const found = await Promise.all(
    others.slice(0, mostSpaces).map(async (space) => {
      const index = await content.pages(space).catch(() => undefined);
      const same = index && (namedIn(space, page, index) ?? samePage(page, documentsOf(index)));
      return same === undefined ? [] : [[space, same] as const];
    }),
  );
  return new Map(found.flat());
}

function namedIn(space: string, { metaLinks }: DocumentPage, index: PageIndex): DocumentPage | undefined {
  const named = metaLinks?.alternates?.find((ref) => ref.kind === 'page' && ref.space === space);
  const found = named?.kind === 'page' ? index.byId.get(named.page) : undefined;
  return found?.type === 'document' ? found : undefined;
}

const documents = new WeakMap<PageIndex, ReturnType<typeof onlyDocuments>>();

function documentsOf(index: PageIndex): ReturnType<typeof onlyDocuments> {
  const known = documents.get(index) ?? onlyDocuments(index);
  documents.set(index, known);
  return known;
}

function onlyDocuments({ byId }: PageIndex) {
  const pages = [...byId.values()].filter((page) => page.type === 'document');
  return {
    byId: new Map(pages.map((page) => [page.id, page])),
    byPath: new Map(pages.map((page) => [page.path, page])),
  };
}

/** The addresses of a page in the languages in which the site offers it, for search engines. Pure. */
export function languagesOf(view: SiteView, page: DocumentPage, same: SamePages): { hreflang: string; href: string }[] {
  const { published, siteBase } = view;
  if (published === undefined) return [];
  const own = view.siteSpace?.space.id;
  const offered = offeredLanguages(
    view.variants.map((variant) => ({
      space: variant.space.id,
      language: languageOf(variant),
      isDefault: view.bases.get(variant.space.id)?.isDefault === true,
    })),
  );
  if (!offered.some(({ variant }) => variant.space === own)) return [];
  const links = offered.flatMap(({ hreflang, variant: { space } }) => {
    const [place, shown] = [view.bases.get(space), space === own ? page : same.get(space)];
    if (place === undefined || shown === undefined) return [];
    return [{ hreflang, href: `${published}${place.addressOf(shown.path).slice(siteBase.length)}` }];
  });
  return new Set(links.map(({ href }) => href)).size < 2 ? [] : links;
}
