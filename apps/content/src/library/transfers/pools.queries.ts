import { nodeAccess } from '@scriptorium/access';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { keyed } from '@scriptorium/platform';
import { branches } from '../../versions/index.js';

/**
 * The pools of these spaces that no other space of the organization reads from: their bytes count for another
 * organization when the spaces are transferred to it.
 */
export async function ownPoolsOf(
  store: Pick<StoreScope, 'read'>,
  organization: string,
  spaces: readonly string[],
): Promise<string[]> {
  const pools = new Set((await store.read(branches).byIds(spaces)).map(({ pool }) => pool));
  if (pools.size === 0) return [];
  const others = await store
    .read(branches)
    .find({ pool: { $in: [...pools] }, request: null, space: { $nin: [...spaces] } })
    .toArray();
  const nodes = keyed(await store.read(nodeAccess).byIds(others.map(({ space }) => space)));
  for (const { pool, space } of others) if (nodes.get(space)?.organization === organization) pools.delete(pool);
  return [...pools];
}
