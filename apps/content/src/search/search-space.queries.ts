import type { FoundPage } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { ContentView } from '../content/index.js';
import type { ContentObjects } from '../objects/index.js';
import { spaces } from '../spaces/index.js';
import type { SeenContent } from '../visitors/index.js';
import type { Audience } from './audience.js';
import { behind, findBest, hitOf, type Hit } from './hits.js';
import { showHits } from './hits.render.js';
import { wantedWords } from './query.js';
import type { SearchIndexes } from './search-indexes.process.js';
import { audienceOf, lookAtPages, type SeenPages } from './visitor-search.queries.js';

/** What is searched for, by whom, and which page of the list is wanted. */
export interface Search extends PageRequest {
  query: string;
  operation: string;
}

/** What a search reads from. */
export interface SearchSources {
  objects: ContentObjects;
  indexes: SearchIndexes;
  seen: SeenContent;
}

/** How editors see pages: as they are. */
const asWritten: SeenPages = { within: (index) => index, see: (_page, document) => document };

/** A page of the pages that a search finds in the content of a space. */
export async function searchSpace(
  scope: Scope,
  { objects, indexes, seen }: SearchSources,
  view: ContentView,
  { query, operation, ...request }: Search,
): Promise<Page<FoundPage>> {
  const { space, organization, tree, root, reader } = view;
  const language = (await scope.store.read(spaces).byId(space))?.language ?? null;
  view.also.push(language);
  const words = wantedWords(query);
  const content = { space, pool: tree.pool, root, language };
  const audience: Audience = reader === undefined ? { kind: 'editor' } : audienceOf(view.hidden ?? new Set());
  const pages =
    reader === undefined
      ? asWritten
      : await lookAtPages(scope, { indexes, seen }, { tree, root, reader }, { content, words, audience });
  const page = await indexes.with(scope, content, (whole) => {
    const index = pages.within(whole);
    const { scored, isFound } = findBest(index, words, audience);
    return pageBy<Hit>(scope.cursors, {
      binding: { operation, scope: { space, query, audience: audience.kind }, sort: 'score', order: 'desc' },
      request,
      isCounted: true,
      count: () => scored.length,
      fetch: (limit, after) =>
        behind(scored, after)
          .slice(0, limit)
          .map((one) => hitOf(index, { space, organization }, one, isFound)),
      keysOf: ({ score, id }) => [score, id],
    });
  });
  return { ...page, items: await showHits(scope, objects, page.items, (id, document) => pages.see(id, document)) };
}
