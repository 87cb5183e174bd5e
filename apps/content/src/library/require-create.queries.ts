import type { Place, ServiceAccess } from '@scriptorium/access';
import { AppError, blaming, roleAtLeast } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { viewNode, type ViewedNode } from './node-viewer.queries.js';

/** The caller's place in an organization. @throws AppError `not_found` when they have none any more */
export async function requirePlace(call: Call, access: ServiceAccess, organization: string): Promise<Place> {
  const place = await access.placeIn(call, organization, call.principal);
  if (place === null) throw new AppError('not_found');
  return place;
}

/**
 * Whoever puts something in a collection, or at the top of an organization, may create there.
 * @throws AppError `not_found` and `forbidden`, naming the field
 */
export async function requireCreate(
  call: Call,
  access: ServiceAccess,
  { organization, role }: Place,
  parent: string | null,
): Promise<ViewedNode | null> {
  if (parent === null) {
    if (!roleAtLeast(role, 'create')) throw new AppError('forbidden');
    return null;
  }
  const node = await viewNode(call, access, call.principal, parent);
  const isThere = node?.kind === 'collection' && node.organization === organization && node.deletedAt === null;
  if (!isThere || !roleAtLeast(node.level, 'read'))
    throw blaming('not_found', 'body.parent', 'There is no such collection');
  if (!roleAtLeast(node.level, 'create')) throw blaming('forbidden', 'body.parent');
  return node;
}
