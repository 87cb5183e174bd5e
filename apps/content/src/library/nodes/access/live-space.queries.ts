import { AppError } from '@scriptorium/contracts';
import { withStore, type Scope } from '@scriptorium/platform';
import { findNode } from './node.queries.js';

/**
 * The same work, whose events belong to the organization of a space that is not deleted. @throws AppError `not_found`
 */
export async function inLiveSpace<S extends Scope>(scope: S, space: string): Promise<S> {
  const node = await findNode(scope, space);
  if (node?.kind !== 'space' || node.deletedAt !== null) throw new AppError('not_found');
  return withStore(scope, scope.store.in(node.organization));
}
