import {
  nodeAccess,
  nodeResourceAccess,
  partResourceAccess,
  visitorOf,
  type Level,
  type Place,
  type ServiceAccess,
} from '@scriptorium/access';
import { AppError, type Principal, type ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';

/** A space with somebody who looks at it. */
export interface ViewedSpace {
  id: string;
  organization: string;
  /** Whether it was deleted, itself or with a collection; its admins can still read what was written about it. */
  isDeleted: boolean;
  place: Place;
  level: Level;
}

/**
 * A space as a caller sees it; `null` when it is not there, or the caller is neither a member of its organization nor a
 * visitor to whom it is opened.
 */
export async function viewSpace(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
): Promise<ViewedSpace | null> {
  const node = await scope.store.read(nodeAccess).byId(id);
  if (node?.added !== true || node.kind !== 'space') return null;
  const { organization } = node;
  if (principal.kind === 'visitor') {
    const visitor = visitorOf(principal, { id, organization });
    const nodes = await access.nodesOf(scope, organization);
    return visitor === null ? null : { ...visitor, id, organization, isDeleted: nodes.deletedAt(id) !== null };
  }
  const place = await access.placeIn(scope, organization, principal);
  if (place === null) return null;
  const { nodes, member } = await access.viewerAt(scope, place);
  return { id, organization, isDeleted: nodes.deletedAt(id) !== null, place, level: nodes.levelOn(id, member) };
}

/** `viewSpace` for what an access check has found. @throws AppError `not_found` when it is gone since */
export async function requireSpace(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
): Promise<ViewedSpace> {
  const space = await viewSpace(scope, access, principal, id);
  if (space === null) throw new AppError('not_found');
  return space;
}

/**
 * Access to what is written about a space. About a deleted one nobody writes; its admins read, if it is `recoverable`.
 */
export async function accessToSpace(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { id, recoverable = false }: { id: string; recoverable?: boolean },
): Promise<ResourceAccess> {
  const space = await viewSpace(scope, access, principal, id);
  const isShown = space !== null && (!space.isDeleted || (recoverable && space.level === 'admin'));
  return nodeResourceAccess(space, isShown);
}

/** Access to a part of what is written about a space. */
export async function accessToPart(...space: Parameters<typeof accessToSpace>): Promise<ResourceAccess> {
  return partResourceAccess(await accessToSpace(...space));
}

/** Filters spaces of an organization: the result has the ones that a member may view now. */
export async function viewableSpaces(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  ids: readonly string[],
): Promise<string[]> {
  const { nodes, member } = await access.viewerAt(scope, place);
  return ids.filter((id) => nodes.deletedAt(id) === null && nodes.levelOn(id, member) !== null);
}
