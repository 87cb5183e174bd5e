import type { FoundPage } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { ContentView } from '../content/index.js';
import type { ContentObjects } from '../../versions/index.js';
import { spaces } from '../../library/index.js';
import type { SeenContent } from '../page-visibility/index.js';
import { behind, findBest, hitOf, type Hit } from './hits/hits.js';
import { showHits, type See } from './hits/hits.render.js';
import { matcherOf } from './matching/matching.js';
import { wantedWords } from './matching/query.js';
import type { Scored } from './matching/score.js';
import type { Search } from './matching/search.js';
import type { SearchIndexes } from './space-indexes/search-indexes.process.js';
import { audienceOf, lookAtPages, type SeenPages } from './visitor-search.queries.js';

/** The query of a search, and which page of what it finds is wanted. */
export interface SearchRequest extends PageRequest {
  query: string;
  operation: string;
}

/** What a search reads from. */
export interface SearchSources {
  objects: ContentObjects;
  indexes: SearchIndexes;
  seen: SeenContent;
}

/** What a search finds in a content, the best first. Use it at once: indexes change. */
interface FoundInView {
  scored: readonly Scored[];
  hitOf: (one: Scored) => Hit;
}

/** How editors see pages: as they are. */
const asWritten: SeenPages = { within: (index) => index, see: (_page, document) => document };

/** A page of the pages that a search finds in the content of a space. */
export async function searchSpace(
  scope: Scope,
  { objects, ...sources }: SearchSources,
  view: ContentView,
  { query, operation, ...request }: SearchRequest,
): Promise<Page<FoundPage>> {
  const { space, reader } = view;
  const language = (await scope.store.read(spaces).byId(space))?.language ?? null;
  view.also.push(language);
  const audience = reader === undefined ? 'editor' : 'visitor';
  const { result, see } = await findInView(scope, sources, view, { query, language }, (found) =>
    pageBy<Hit>(scope.cursors, {
      binding: { operation, scope: { space, query, audience }, sort: 'score', order: 'desc' },
      request,
      isCounted: true,
      count: () => found.scored.length,
      fetch: (limit, after) => behind(found.scored, after).slice(0, limit).map(found.hitOf),
      keysOf: ({ score, id }) => [score, id],
    }),
  );
  const page = await result;
  return { ...page, items: await showHits(scope, objects, page.items, see) };
}

/** Searches the content of a view, as its reader sees it. `see`: a document of a page as the reader sees it. */
export async function findInView<T>(
  scope: Pick<Scope, 'store' | 'workers'>,
  { indexes, seen }: Omit<SearchSources, 'objects'>,
  view: ContentView,
  { query, language }: { query: string; language: string | null },
  use: (found: FoundInView) => T,
): Promise<{ result: T; see: See }> {
  const { space, organization, tree, root, reader, hidden } = view;
  const search: Search = {
    content: { organization, space, pool: tree.pool, root, language },
    matcher: matcherOf(wantedWords(query)),
    audience: reader === undefined ? { kind: 'editor' } : audienceOf(hidden ?? new Set()),
  };
  const pages =
    reader === undefined ? asWritten : await lookAtPages(scope, { indexes, seen }, { tree, root, reader }, search);
  const found = await indexes.with(scope, search.content, (whole) => {
    const index = pages.within(whole);
    const { scored, isFound } = findBest(index, search);
    if (whole.specs.size > 0) view.also.push([...whole.specs]);
    // A promise would be waited for, and the index be changed meanwhile.
    return { result: use({ scored, hitOf: (one) => hitOf(index, search.content, one, isFound) }) };
  });
  return { ...found, see: (page, document) => pages.see(page, document) };
}
