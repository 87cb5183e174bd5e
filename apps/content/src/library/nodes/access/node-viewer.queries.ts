import {
  nodeResourceAccess,
  partResourceAccess,
  resolveLevel,
  type Grantee,
  type Level,
  type Place,
  viewerOfReach,
  visitorOf,
  type ServiceAccess,
} from '@scriptorium/access';
import { AppError, type Principal, type ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { isRecoverable } from '../deletion.js';
import { findNode, type FoundNode } from './node.queries.js';

/** A space or collection with somebody who looks at it. */
export interface ViewedNode extends FoundNode {
  place: Place;
  member: Grantee;
  level: Level;
}

/**
 * A node as a caller sees it; `null` when it is not there, or the caller is neither a member of its organization, nor a
 * visitor to whom it is opened, nor an installation that reaches it.
 */
export async function viewNode(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
): Promise<ViewedNode | null> {
  const node = await findNode(scope, id);
  if (node === null) return null;
  if (principal.kind === 'visitor') {
    const visitor = node.kind === 'space' && node.deletedAt === null ? visitorOf(principal, node) : null;
    return visitor === null ? null : { ...node, ...visitor };
  }
  if (principal.kind === 'installation') {
    const viewer = node.kind === 'space' ? viewerOfReach(await access.reachOf(scope, principal), spaceOf(node)) : null;
    return viewer === null || node.deletedAt !== null ? null : { ...node, ...viewer };
  }
  const place = await access.placeIn(scope, node.organization, principal);
  if (place === null) return null;
  const { member } = await access.viewerAt(scope, place);
  return { ...node, place, member, level: resolveLevel(member, node.chain) };
}

function spaceOf({ id, organization }: FoundNode) {
  return { kind: 'space', id, organization } as const;
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

/**
 * Access to a space or collection. What was deleted is not there, but for admins as long as it can be restored, if it
 * is `recoverable`.
 */
export async function accessToNode(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { id, kind, recoverable = false }: { id: string; kind: FoundNode['kind']; recoverable?: boolean },
): Promise<ResourceAccess> {
  const node = await viewNode(scope, access, principal, id);
  if (node?.kind !== kind) return nodeResourceAccess(null, false);
  const { deletedAt, level } = node;
  const isShown = deletedAt === null || (recoverable && level === 'admin' && isRecoverable(deletedAt, scope.now()));
  return nodeResourceAccess(node, isShown);
}

/** Access to a part of a space or collection, such as a grant. */
export async function accessToPart(...node: Parameters<typeof accessToNode>): Promise<ResourceAccess> {
  return partResourceAccess(await accessToNode(...node));
}
