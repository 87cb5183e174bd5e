import { offeredLanguages, samePage, type NamedPage } from '@scriptorium/contracts';
import type { TextPage } from './site-texts.js';

/** A page with where it stands in its space. */
export type ListedPage = TextPage & NamedPage;

/** The pages of one of the spaces of a section, or of a site without sections. */
export interface ListedSpace {
  space: string;
  section: string | null;
  language?: string | undefined;
  isDefault: boolean;
  pages: readonly ListedPage[];
}

/** The pages of spaces, each with the same page in other languages. Pure. */
export function pagesInLanguages(spaces: readonly ListedSpace[]): TextPage[] {
  const indexes = new Map(spaces.map((one) => [one, indexOf(one)]));
  return spaces.flatMap((one): readonly TextPage[] => {
    const offered = offeredLanguages(spaces.filter(({ section }) => section === one.section));
    if (!offered.some(({ variant }) => variant === one)) return one.pages;
    return one.pages.map((page): TextPage => {
      const languages = offered.flatMap(({ hreflang, variant }) => {
        const index = indexes.get(variant);
        const same = index && samePage(page, index);
        return same === undefined ? [] : [{ hreflang, url: same.url }];
      });
      return new Set(languages.map(({ url }) => url)).size < 2 ? page : { ...page, languages };
    });
  });
}

function indexOf({ pages }: ListedSpace) {
  return {
    byId: new Map(pages.map((page) => [page.id, page])),
    byPath: new Map(pages.map((page) => [page.path, page])),
  };
}
