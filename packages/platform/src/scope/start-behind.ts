import { AppError, invalid } from '@scriptorium/contracts';
import type { AnyProjection } from '@scriptorium/event-sourcing';
import type { Scope } from './scope.js';

const waitForMs = 2_000;

/**
 * Where a list by position begins and ends that clients follow. `after`: a position that an answer gave, or `now`;
 * without it, the list begins at the beginning. `head`: up to there all documents of the projection are known to be
 * written, so a page that ends there never passes events which another replica is still writing.
 * @throws AppError `invalid_request` naming `query.after` for a position that the log does not have; `unavailable`
 */
export async function startBehind(
  { store }: Pick<Scope, 'store'>,
  projection: Pick<AnyProjection, 'collection'>,
  after: string | undefined,
): Promise<{ start: bigint; head: bigint }> {
  const head = await store.written(projection);
  const start = after === 'now' ? head : await checkStart(store, after === undefined ? -1n : BigInt(after), head);
  return { start, head };
}

/** Checks a position after the last one that this replica knows. It can be that of a recent change, or invalid. */
async function checkStart(store: Scope['store'], start: bigint, head: bigint): Promise<bigint> {
  if (start <= head) return start;
  const outcome = await store.waitForPosition(start, waitForMs);
  if (outcome === 'unknown') throw invalid('query.after', 'Must be a position that an answer gave');
  if (outcome === 'late')
    throw new AppError('unavailable', [], {
      message: 'The changes up to this position are not known yet, try again',
      retryAfter: 1,
    });
  return start;
}
