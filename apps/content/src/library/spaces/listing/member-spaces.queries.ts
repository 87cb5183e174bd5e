import type { Place, ServiceAccess } from '@scriptorium/access';
import type { MemberSpace } from '@scriptorium/contracts';
import { keyset, pageBy, type CursorKeys, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { spaces, type SpaceDocument } from '../space.projection.js';
import { renderListed } from './spaces.queries.js';

interface MemberSpaceFilter extends PageRequest {
  organization: string;
  user: string;
  order: 'asc' | 'desc';
  operation: string;
}

/** A member whose spaces are listed. */
interface ListedMember {
  /** `null` for a disabled member, who may view nothing. */
  place: Place | null;
  /** Whether an admin of the organization is shown the list. Otherwise it is the member. */
  isShownToAdmin: boolean;
}

/** The spaces that a member may view with the member's level on each, by when they were last changed. */
export async function listMemberSpaces(
  scope: Scope,
  access: ServiceAccess,
  { place, isShownToAdmin }: ListedMember,
  filter: MemberSpaceFilter,
): Promise<Page<MemberSpace>> {
  const page = await pageByChange(scope, place === null ? [] : await visibleTo(scope, access, place), filter);
  if (place === null) return { ...page, items: [] };
  const { nodes, member } = await access.viewerAt(scope, place);
  const levels = new Map(page.items.map(({ id }) => [id, nodes.levelOn(id, member)]));
  const listed = [...levels].map(([id, level]) => ({ id, level: isShownToAdmin ? ('admin' as const) : level }));
  const shown = await renderListed(scope, listed);
  const items = shown.flatMap((space) => {
    const permission = levels.get(space.id) ?? null;
    return permission === null ? [] : [{ permission, space }];
  });
  return { ...page, items };
}

async function visibleTo(scope: Scope, access: ServiceAccess, place: Place): Promise<readonly string[]> {
  const { nodes, member } = await access.viewerAt(scope, place);
  return nodes.visibleTo(member).spaces;
}

type ChangedSpace = Pick<SpaceDocument, 'updatedAt'> & { id: string };

/** One page of the spaces that `visible` names, by when they were last changed. */
function pageByChange(
  scope: Scope,
  visible: readonly string[],
  filter: MemberSpaceFilter,
): Promise<Page<ChangedSpace>> {
  const { organization, user, order, operation } = filter;
  return pageBy<ChangedSpace>(scope.cursors, {
    binding: { operation, scope: { organization, user }, sort: 'updatedAt', order },
    request: filter,
    isCounted: true,
    count: () => visible.length,
    fetch: (limit, after) => findByChange(scope, visible, { organization, order, limit, after }),
    keysOf: ({ id, updatedAt }) => [updatedAt, id],
  });
}

/** Up to this number of spaces the database is asked for these alone. */
const mostNamed = 2_000;

/** How many spaces are read at a time, two fields of each. */
const batchSize = 200;

/**
 * Ids and changes of the spaces on a page, in their order. The database sorts the named spaces. Of a member who may
 * view more, the index by organization and change is followed until the page is full, so at most the spaces that the
 * member may not view are skipped.
 */
async function findByChange(
  { store }: Pick<Scope, 'store'>,
  visible: readonly string[],
  {
    organization,
    order,
    limit,
    after,
  }: Pick<MemberSpaceFilter, 'organization' | 'order' | 'limit'> & {
    after: CursorKeys | undefined;
  },
): Promise<ChangedSpace[]> {
  const wanted = new Set(visible);
  const among = wanted.size <= mostNamed ? { _id: { $in: [...wanted] } } : { organization };
  const direction = order === 'asc' ? 1 : -1;
  const found = store
    .read(spaces)
    .find(after === undefined ? among : { $and: [among, keyset('updatedAt', order, after)] })
    .project<{ _id: string; updatedAt: string }>({ updatedAt: 1 })
    .sort({ updatedAt: direction, _id: direction })
    .batchSize(batchSize);
  const page: ChangedSpace[] = [];
  for await (const { _id: id, updatedAt } of found) {
    if (wanted.has(id)) page.push({ id, updatedAt });
    if (page.length === limit) break;
  }
  return page;
}
