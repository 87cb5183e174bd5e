import type { FoundPage } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { ContentView } from '../content/index.js';
import type { ContentObjects } from '../objects/index.js';
import { spaces } from '../spaces/index.js';
import type { Audience } from './audience.js';
import { behind, findBest, hitOf, type Hit } from './hits.js';
import { showHits } from './hits.render.js';
import { wantedWords } from './query.js';
import type { SearchIndexes } from './search-indexes.process.js';

/** What is searched for, by whom, and which page of the list is wanted. */
export interface Search extends PageRequest {
  query: string;
  audience: Audience;
  operation: string;
}

/** What a search reads from. */
export interface SearchSources {
  objects: ContentObjects;
  indexes: SearchIndexes;
}

/** A page of the pages that a search finds in the content of a space. */
export async function searchSpace(
  scope: Scope,
  { objects, indexes }: SearchSources,
  { space, organization, tree, root, also }: ContentView,
  { query, audience, operation, ...request }: Search,
): Promise<Page<FoundPage>> {
  const language = (await scope.store.read(spaces).byId(space))?.language ?? null;
  also.push(language);
  const words = wantedWords(query);
  const page = await indexes.with(scope, { space, pool: tree.pool, root, language }, (index) => {
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
  return { ...page, items: await showHits(scope, objects, page.items) };
}
