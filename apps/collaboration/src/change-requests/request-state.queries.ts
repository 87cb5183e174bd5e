import type { Scope } from '@scriptorium/platform';
import { changeRequest, type ChangeRequest } from './change-request.js';

/**
 * The present state of a change request, to decide by what has to be stored or asked before a command. What this request has
 * recorded before, under the same idempotency key, is in it.
 */
export async function requestState({ store }: Pick<Scope, 'store'>, id: string): Promise<ChangeRequest> {
  const { state } = await store.keyed(undefined).handle(changeRequest, id, () => [], { wait: false });
  return state;
}
