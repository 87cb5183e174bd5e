import { deepest } from '../../../versions/index.js';
import { pagesFor } from '../space-indexes/audience.js';
import { findPages, isEnough, searchSteps } from '../matching/find-pages.js';
import type { Search } from '../matching/search.js';
import type { Scored } from '../matching/score.js';
import type { IndexedPage, SpaceIndex } from '../space-indexes/space-index.js';

/** A page that was found, with what is needed to show it: indexes change. */
export interface Hit extends Scored {
  pool: string;
  /** The root of the tree in which it was found. */
  root: string;
  organization: string;
  space: string;
  title: string;
  path: string;
  ancestors: { title: string }[];
  /** The names of its document and of those of the reusable contents that it shows. */
  documents: string[];
  isFound: (word: string) => boolean;
}

/** What the first step finds that finds enough. */
export function findBest(
  index: SpaceIndex,
  { matcher, audience }: Pick<Search, 'matcher' | 'audience'>,
): ReturnType<typeof findPages> {
  const pages = pagesFor(index, audience);
  let found: ReturnType<typeof findPages> = { scored: [], isFound: () => false };
  for (const step of searchSteps) {
    found = findPages(index, pages, matcher, step);
    if (isEnough(step, found.scored.length)) break;
  }
  return found;
}

/** A page that was found in an index of a space. */
export function hitOf(
  index: SpaceIndex,
  { organization, space }: Pick<Search['content'], 'organization' | 'space'>,
  { id, score }: Scored,
  isFound: (word: string) => boolean,
): Hit {
  const found = index.pages.get(id) as IndexedPage;
  const above = ancestorsOf(index, found);
  const { document, contents } = found;
  return {
    organization,
    space,
    pool: index.pool,
    root: index.root,
    id,
    score,
    title: found.page.title,
    path: [...above, found].flatMap(({ page }) => page.slug ?? []).join('/'),
    ancestors: above.map(({ page }) => ({ title: page.title })),
    documents: document === undefined ? [] : [document.name, ...contents],
    isFound,
  };
}

/** The pages that contain a page, from the top down. */
function ancestorsOf({ pages }: SpaceIndex, { page }: IndexedPage): IndexedPage[] {
  const above: IndexedPage[] = [];
  for (let next = page.parent; next !== undefined && above.length <= deepest;) {
    const parent = pages.get(next);
    if (parent === undefined) break;
    above.unshift(parent);
    next = parent.page.parent;
  }
  return above;
}

/** Those behind a cursor, which names the last one that was shown. */
export function behind<T extends Scored>(sorted: readonly T[], after: readonly unknown[] | undefined): readonly T[] {
  if (after === undefined) return sorted;
  const [score, id] = [Number(after[0]), String(after[1])];
  const start = sorted.findIndex((one) => one.score < score || (one.score === score && one.id > id));
  return start < 0 ? [] : sorted.slice(start);
}
