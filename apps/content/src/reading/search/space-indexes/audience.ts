import type { IndexedPage, SpaceIndex } from './space-index.js';

/**
 * Who searches. Editors find all pages, hidden ones too. Visitors find what is in the navigation, is shown to them, and
 * is not excluded from search.
 */
export type Audience =
  | { kind: 'editor' }
  | { kind: 'visitor'; /** Whether conditions show them a page. */ isShown: (page: string) => boolean };

/** Pages that lie within each other, at most. */
const deepest = 32;

/** The pages that an audience can find. Groups and pages count; entries that lead elsewhere are no pages. */
export function pagesFor({ pages }: Pick<SpaceIndex, 'pages'>, audience: Audience): IndexedPage[] {
  const all = [...pages.values()].filter(({ page }) => page.type !== 'link');
  if (audience.kind === 'editor') return all;
  return all.filter(({ page }) => {
    if (page.noIndex === true) return false;
    for (let [next, depth]: [IndexedPage | undefined, number] = [pages.get(page.id), 0]; depth <= deepest; depth += 1) {
      if (next === undefined || next.page.hidden === true || !audience.isShown(next.page.id)) return false;
      if (next.page.parent === undefined) return true;
      next = pages.get(next.page.parent);
    }
    return false;
  });
}
