import type { StoreScope } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { dropPool } from '../objects/index.js';
import { branch } from './branch.js';
import { branches } from './branch.projection.js';

/**
 * Deletes the main content of a space for good: its stream, and its objects unless another space reads from the same pool. Safe to
 * repeat.
 */
export async function eraseMainContent(
  store: StoreScope,
  scope: Pick<Scope, 'database'>,
  space: string,
): Promise<void> {
  const state = await store.load(branch, space);
  if (state.status === 'absent') return;
  const others = await store.read(branches).count({ pool: state.pool, space: { $ne: space } });
  if (others === 0) await dropPool(scope, state.pool);
  await store.erase(branch, space);
}
