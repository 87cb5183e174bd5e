import { keyedGet, type StoreScope } from '@scriptorium/event-sourcing';
import { readLibrary } from './end-transfer.process.js';
import { nodeIn } from '../library.js';

/** More than a node is ever transferred. */
const mostTransfers = 1_000;

/** Whether a node that an organization had is still there, or in an organization to which it was transferred since. */
export async function isAnywhere(store: StoreScope, organization: string, node: string): Promise<boolean> {
  let next: string | undefined = organization;
  for (let count = 0; next !== undefined && count < mostTransfers; count += 1) {
    const state = await readLibrary(store.in(next), next);
    if (nodeIn(state, node) !== undefined) return true;
    next = keyedGet(state.left, node);
  }
  return false;
}
