import type { ServiceAccess } from '@scriptorium/access';
import { type FoundSpace, type Principal, type searchSpaces } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import { branches } from '../../versions/index.js';
import { viewAs } from '../content/index.js';
import { viewNode, spaces as spaceSettings } from '../../library/index.js';
import { behind } from './hits/hits.js';
import { mostShown, showSpace, type FoundIn, type See } from './hits/hits.render.js';
import { byScore } from './matching/score.js';
import { findInView, type SearchSources } from './search-space.queries.js';

type Wanted = z.output<typeof searchSpaces.input>;

type Found = FoundIn & { title: string; see: See };

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
  for (const one of page) items.push({ score: one.score, found: await showSpace(scope, sources.objects, one) });
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
    { query, language },
    ({ scored, hitOf }) => ({ count: scored.length, hits: scored.slice(0, mostShown).map(hitOf) }),
  );
  const [best] = result.hits;
  return best === undefined ? undefined : { ...result, see, id, title, score: best.score };
}
