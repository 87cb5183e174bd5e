import type { Place, ServiceAccess } from '@scriptorium/access';
import { AppError, blaming, lacksLevel, roleAtLeast } from '@scriptorium/contracts';
import type { Call, Scope } from '@scriptorium/platform';
import { viewNode } from './node-viewer.queries.js';

/** The caller's place in an organization. @throws AppError `not_found` when they have none any more */
export async function requirePlace(call: Call, access: ServiceAccess, organization: string): Promise<Place> {
  const place = await access.placeIn(call, organization, call.principal);
  if (place === null) throw new AppError('not_found');
  return place;
}

/**
 * Whoever puts something in a collection, or at the top of an organization, may create there. `field`: what names the
 * collection in the request.
 * @throws AppError `not_found` and `forbidden`, naming the field
 */
export async function requireCreate(
  call: Scope & Pick<Call, 'principal'>,
  access: ServiceAccess,
  { organization, role }: Place,
  { parent, field }: { parent: string | null; field?: string },
): Promise<void> {
  if (parent === null) {
    if (!roleAtLeast(role, 'create')) throw lacksLevel('create', 'organization', field);
    return;
  }
  const node = await viewNode(call, access, call.principal, parent);
  const isThere = node?.kind === 'collection' && node.organization === organization && node.deletedAt === null;
  const isShown = isThere && roleAtLeast(node.level, 'read');
  if (field !== undefined && !isShown) throw blaming('not_found', field, 'There is no such collection');
  if (isShown && roleAtLeast(node.level, 'create')) return;
  if (field !== undefined) throw lacksLevel('create', 'collection', field);
  throw new AppError('forbidden', [], { message: 'You may not change the order of what stands there' });
}
