import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { OpenBranch, RequestState } from './branch-state.js';
import { branches } from './branch.projection.js';

/** The branch of a change request. */
export interface RequestBranch extends OpenBranch {
  id: string;
  request: RequestState;
}

/**
 * The branch of a change request, which `named` is the id of. Numbers of change requests are not known here yet.
 * @throws AppError `not_found`, also for a change request of another space
 */
export async function requireRequestBranch(
  { store }: Pick<Scope, 'store'>,
  space: string,
  named: string,
): Promise<RequestBranch> {
  const found = await store.read(branches).byId(named);
  if (found?.request == null || found.space !== space) throw new AppError('not_found');
  return { ...found, id: named, request: found.request };
}

/** The revision of the main content that the content of a change request goes back to. */
export function takenFrom({ pending, ancestor }: RequestState): RequestState['ancestor'] {
  return pending?.ancestor ?? ancestor;
}
