import type { Scope } from '@scriptorium/platform';
import { changeRequest, type ChangeRequest } from './change-request.js';

/**
 * The present state of a change request, to decide by what has to be stored or asked before a command. `repeated`: the
 * command of this request was carried out before, under the same idempotency key, and what it has recorded is in the
 * state: nothing is decided anew.
 */
export async function requestState(
  { store }: Pick<Scope, 'store'>,
  id: string,
): Promise<{ state: ChangeRequest; repeated: boolean }> {
  const { state, repeated } = await store.handle(changeRequest, id, () => [], { wait: false });
  return { state, repeated };
}
