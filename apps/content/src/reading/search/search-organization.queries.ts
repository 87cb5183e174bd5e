import type { Place, ServiceAccess } from '@scriptorium/access';
import type { FoundSpace } from '@scriptorium/contracts';
import { keyed, pageBy, type Page, type Scope } from '@scriptorium/platform';
import { setImmediate } from 'node:timers/promises';
import { branches } from '../../versions/index.js';
import { expandRoot } from '../computed-pages/index.js';
import { spaces } from '../../library/index.js';
import { pagesFor } from './space-indexes/audience.js';
import { findPages, isEnough, searchSteps, type SearchStep } from './matching/find-pages.js';
import { behind, hitOf } from './hits/hits.js';
import { mostShown, showSpace, type FoundIn } from './hits/hits.render.js';
import { matcherOf } from './matching/matching.js';
import { wantedWords } from './matching/query.js';
import { byScore } from './matching/score.js';
import type { Search } from './matching/search.js';
import type { SearchedContent } from './space-indexes/search-indexes.process.js';
import type { SearchRequest, SearchSources } from './search-space.queries.js';
import type { SpaceIndex } from './space-indexes/space-index.js';

/** A page of the spaces in which a search finds pages, of those that a member may view. */
export async function searchOrganization(
  scope: Scope,
  { objects, indexes, access }: Omit<SearchSources, 'seen'> & { access: ServiceAccess },
  place: Place,
  { query, operation, ...request }: SearchRequest,
): Promise<Page<FoundSpace>> {
  const { organization } = place;
  const { nodes, member } = await access.viewerAt(scope, place);
  const contents = await contentsOf(scope, organization, nodes.visibleTo(member).spaces);
  const matcher = matcherOf(wantedWords(query));
  const searches = contents.map((content): Search => ({ content, matcher, audience: { kind: 'editor' } }));
  const found = await findInAll(scope, { objects, indexes }, searches);
  const page = await pageBy<FoundIn>(scope.cursors, {
    binding: { operation, scope: { organization, query }, sort: 'score', order: 'desc' },
    request,
    isCounted: true,
    count: () => found.length,
    fetch: (limit, after) => behind(found, after).slice(0, limit),
    keysOf: ({ score, id }) => [score, id],
  });
  const titles = keyed(await scope.store.read(spaces).byIds(page.items.map(({ id }) => id)));
  const items: FoundSpace[] = [];
  for (const one of page.items)
    items.push(await showSpace(scope, objects, { ...one, title: titles.get(one.id)?.title ?? '' }));
  return { ...page, items };
}

/** The main content of spaces, as far as they have some. */
async function contentsOf(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  ids: readonly string[],
): Promise<SearchedContent[]> {
  const [heads, settings] = await Promise.all([store.read(branches).byIds(ids), store.read(spaces).byIds(ids)]);
  const languages = keyed(settings);
  return heads.flatMap(({ _id: space, pool, head }) => {
    const settings = languages.get(space);
    return head === null || settings === undefined
      ? []
      : [{ organization, space, pool, root: head.tree, language: settings.language }];
  });
}

/**
 * Where pages are found, the best first. A step counts for all spaces together: the next one is taken if they have too
 * few pages together, and not for each space that has few.
 */
async function findInAll(
  scope: Scope,
  { objects, indexes }: Pick<SearchSources, 'objects' | 'indexes'>,
  searches: readonly Search[],
): Promise<FoundIn[]> {
  const found: Record<SearchStep, FoundIn[]> = { all: [], tolerant: [], any: [] };
  const pages: Record<SearchStep, number> = { all: 0, tolerant: 0, any: 0 };
  for (const search of searches) {
    const stored = search.content;
    const { root } = await expandRoot(scope, objects, { ...stored, branch: stored.space }, { mostMs: 0, newerMs: 0 });
    const content = { ...stored, root };
    await indexes.with(scope, content, (index) => {
      for (const step of searchSteps) {
        const here = findIn(index, step, search);
        if (here !== undefined) {
          found[step].push(here);
          pages[step] += here.count;
        }
        if (isEnough(step, pages[step])) break;
      }
    });
    // Other requests get their turn between two spaces.
    await setImmediate();
  }
  const step = searchSteps.find((one) => isEnough(one, pages[one])) ?? 'any';
  return found[step].sort(byScore);
}

function findIn(index: SpaceIndex, step: SearchStep, { content, matcher, audience }: Search): FoundIn | undefined {
  const { scored, isFound } = findPages(index, pagesFor(index, audience), matcher, step);
  const [best] = scored;
  if (best === undefined) return undefined;
  const hits = scored.slice(0, mostShown).map((one) => hitOf(index, content, one, isFound));
  return { id: content.space, score: best.score, hits, count: scored.length };
}
