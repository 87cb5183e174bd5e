import type { Place, ServiceAccess } from '@scriptorium/access';
import { blaming, roleAtLeast } from '@scriptorium/contracts';
import { keyed, type Scope } from '@scriptorium/platform';
import { knownSpaces } from './known-space.projection.js';

/** A space that somebody may put on a site. */
export interface PlaceableSpace {
  id: string;
  title: string;
}

/**
 * These spaces, which a member puts on a site: spaces of the organization on which the member may create. `field`: what
 * names the space at a position in the request.
 * @throws AppError `not_found` and `forbidden`, naming the field
 */
export async function requirePlaceable(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  ids: readonly string[],
  field: (index: number) => string,
): Promise<PlaceableSpace[]> {
  const titles = keyed(await scope.store.read(knownSpaces).byIds(ids));
  const { nodes, member } = await access.viewerAt(scope, place);
  return ids.map((id, index) => {
    const known = titles.get(id);
    const level = nodes.levelOn(id, member);
    const isThere = known !== undefined && nodes.has(id) && nodes.deletedAt(id) === null;
    if (!isThere || !roleAtLeast(level, 'read')) throw blaming('not_found', field(index), 'There is no such space');
    if (!roleAtLeast(level, 'create'))
      throw blaming('forbidden', field(index), 'Only who may create on a space puts it on a site');
    return { id, title: known.title };
  });
}

/**
 * The titles of those of these spaces that an organization has, by id. It does not learn those that were transferred
 * get later.
 */
export async function titlesOf(
  scope: Pick<Scope, 'store'>,
  organization: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await scope.store.read(knownSpaces).byIds([...new Set(ids)]);
  return new Map(found.flatMap((space) => (space.organization === organization ? [[space._id, space.title]] : [])));
}
