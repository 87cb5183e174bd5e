import { resolveLevel, type Grantee, type Level, type Place, type ServiceAccess } from '@scriptorium/access';
import { AppError, roleRelations, type Principal, type ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { isRecoverable } from './deletion.js';
import { findNode, type FoundNode } from './node.queries.js';

/** A space or collection with somebody who looks at it. */
export interface ViewedNode extends FoundNode {
  place: Place;
  member: Grantee;
  level: Level;
}

/** A node as a caller sees it; `null` when it is not there, or the caller is no member of its organization. */
export async function viewNode(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
): Promise<ViewedNode | null> {
  const node = await findNode(scope, id);
  if (node === null) return null;
  const place = await access.placeIn(scope, node.organization, principal);
  if (place === null) return null;
  const { member } = await access.viewerAt(scope, place);
  return { ...node, place, member, level: resolveLevel(member, node.chain) };
}

/** `viewNode` for what an access check has found. @throws AppError `not_found` when it is gone since */
export async function requireNode(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
): Promise<ViewedNode> {
  const node = await viewNode(scope, access, principal, id);
  if (node === null) throw new AppError('not_found');
  return node;
}

const nothing: ResourceAccess = { parentVisible: true, exists: false, relations: new Set() };

/** Access to a space or collection. What was deleted is not there, but for admins as long as it can be restored, if it is `recoverable`. */
export async function nodeResourceAccess(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { id, kind, recoverable = false }: { id: string; kind: FoundNode['kind']; recoverable?: boolean },
): Promise<ResourceAccess> {
  const node = await viewNode(scope, access, principal, id);
  if (node?.kind !== kind) return nothing;
  const { deletedAt, level, place } = node;
  const { organization, role, withoutSSO } = place;
  const isShown = deletedAt === null || (recoverable && level === 'admin' && isRecoverable(deletedAt, scope.now()));
  const relations = new Set(level === null ? [] : roleRelations(level));
  return { parentVisible: true, exists: isShown, relations, organization, role, withoutSSO };
}

/** Access to a part of a space or collection, such as a grant: whoever may not view the whole does not know of its parts. */
export async function partResourceAccess(
  ...[scope, access, principal, node]: Parameters<typeof nodeResourceAccess>
): Promise<ResourceAccess> {
  const whole = await nodeResourceAccess(scope, access, principal, node);
  return { ...whole, parentVisible: whole.exists && whole.relations.has('read'), exists: true };
}
