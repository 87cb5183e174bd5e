import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { OpenBranch, RequestState } from './branch-state.js';
import { branches } from './branch.projection.js';
import { numberKey, requestNumbers } from './request-number.projection.js';

/** The branch of a change request. */
export interface RequestBranch extends OpenBranch {
  id: string;
  request: RequestState;
}

/**
 * The branch of a change request, which `named` is the id or the number of.
 * @throws AppError `not_found`, also for a change request of another space
 */
export async function requireRequestBranch(
  { store }: Pick<Scope, 'store'>,
  space: string,
  named: string,
): Promise<RequestBranch> {
  const id = await idOf({ store }, space, named);
  const found = await store.read(branches).byId(id);
  if (found?.request == null || found.space !== space) throw new AppError('not_found');
  return { ...found, id, request: found.request };
}

/** No id that the product makes has digits alone. */
async function idOf({ store }: Pick<Scope, 'store'>, space: string, named: string): Promise<string> {
  if (!/^\d{1,9}$/.test(named)) return named;
  const found = await store.read(requestNumbers).byId(numberKey(space, Number(named)));
  return found?.branch ?? named;
}

/** The revision of the main content that the content of a change request goes back to. */
export function takenFrom({ pending, ancestor }: RequestState): RequestState['ancestor'] {
  return pending?.ancestor ?? ancestor;
}
