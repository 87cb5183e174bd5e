import { AppError } from '@scriptorium/contracts';
import { withStore, type Scope } from '@scriptorium/platform';
import { findNode, type FoundNode } from './node.queries.js';

/**
 * The same work, whose events belong to the organization of a space that is not deleted. @throws AppError `not_found`
 */
export async function inLiveSpace<S extends Scope>(scope: S, space: string): Promise<S> {
  const node = await requireSpaceNode(scope, space);
  return withStore(scope, scope.store.in(node.organization));
}

/** A space that is not deleted. @throws AppError `not_found` */
export async function requireSpaceNode(scope: Pick<Scope, 'store'>, space: string): Promise<FoundNode> {
  const node = await findNode(scope, space);
  if (node?.kind !== 'space' || node.deletedAt !== null) throw new AppError('not_found');
  return node;
}
