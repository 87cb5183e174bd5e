import type { Scope } from '@scriptorium/platform';
import { branches, scheduleSweep, youngMs } from '../../../versions/index.js';
import type { ImportState } from './import.run.js';
import type { ImportDocument } from '../imports.operational.js';

/** Phases in which nothing of an import is in the pool yet. */
const beforeAny: ReadonlySet<ImportState['phase']> = new Set(['fetch', 'plan']);

/**
 * What an import has given to the pool, and no revision names, is removed when it is old enough. Until then it counts
 * as stored.
 */
export async function sweepLater(
  { store, now }: Pick<Scope, 'store' | 'now'>,
  { _id: id, branch }: ImportDocument,
  { phase }: ImportState,
): Promise<void> {
  const pool = beforeAny.has(phase) ? undefined : (await store.read(branches).byId(branch))?.pool;
  if (pool !== undefined) await scheduleSweep(store, { pool, purged: id, round: 0 }, now() + youngMs);
}
