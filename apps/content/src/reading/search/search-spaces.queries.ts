import type { ServiceAccess } from '@scriptorium/access';
import { type FoundSpace, type Principal, type searchSpaces } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import { branches } from '../../versions/index.js';
import { viewAs } from '../content/index.js';
import { viewNode, spaces as spaceSettings } from '../../library/index.js';
import { behind, type Hit } from './hits/hits.js';
import { showHits } from './hits/hits.render.js';
import { wantedWords } from './matching/query.js';
import { byScore } from './matching/score.js';
import { findInView, type SearchSources } from './search-space.queries.js';

type Wanted = z.output<typeof searchSpaces.input>;

interface Found {
  id: string;
  title: string;
  score: number;
  /** The best pages. */
  hits: Hit[];
  count: number;
  see: (page: string, document: RichDocument) => RichDocument;
}

/** Pages that are shown of a space. */
const mostShown = 10;

/**
 * The pages that a caller finds in these spaces, space by space: members in those that they may view, visitors what
 * they are shown.
 */
export async function searchInSpaces(
  scope: Scope,
  sources: SearchSources & { access: ServiceAccess },
  principal: Principal,
  { organization, spaces, query, limit, after }: Wanted,
): Promise<z.input<typeof searchSpaces.response>> {
  const found: Found[] = [];
  for (const id of new Set(spaces)) {
    const one = await findIn(scope, sources, principal, { organization, id, query });
    if (one !== undefined) found.push(one);
    // Other requests get their turn between two spaces.
    await setImmediate();
  }
  const sorted = found.sort(byScore);
  const page = behind(sorted, after === undefined ? undefined : [after.score, after.id]).slice(0, limit);
  const items: { score: number; found: FoundSpace }[] = [];
  for (const { id, title, score, hits, count, see } of page) {
    const pages = await showHits(scope, sources.objects, hits, see);
    const more = count - pages.length;
    items.push({ score, found: { id, title, pages, ...(more > 0 ? { more } : {}) } });
  }
  return { count: found.length, items };
}

async function findIn(
  scope: Scope,
  { access, objects, indexes, seen }: SearchSources & { access: ServiceAccess },
  principal: Principal,
  { organization, id, query }: { organization: string; id: string; query: string },
): Promise<Found | undefined> {
  const node = await viewNode(scope, access, principal, id);
  if (node?.kind !== 'space' || node.organization !== organization || node.deletedAt !== null) return undefined;
  if (node.level === null || node.place.withoutSSO) return undefined;
  const [settings, branch] = await Promise.all([
    scope.store.read(spaceSettings).byId(id),
    scope.store.read(branches).byId(id),
  ]);
  if (settings === null || branch?.head == null) return undefined;
  const view = await viewAs(scope, objects, { organization, principal }, { space: id, branch: id });
  const { language, title } = settings;
  const { result, see } = await findInView(
    scope,
    { indexes, seen },
    view,
    { words: wantedWords(query), language },
    ({ scored, hitOf }) => ({ count: scored.length, hits: scored.slice(0, mostShown).map(hitOf) }),
  );
  const [best] = result.hits;
  return best === undefined ? undefined : { ...result, see, id, title, score: best.score };
}
