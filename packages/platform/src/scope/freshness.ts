import { AppError, invalid } from '@scriptorium/contracts';
import type { AnyProjection, StoreScope } from '@scriptorium/event-sourcing';
import type { Scope } from './scope.js';

/**
 * Waits until these read models show an event. For reactors. A read model that is being rebuilt or has stopped never
 * counts as showing the event.
 * @throws AppError `unavailable` when they do not show it in time; then the event is tried again
 */
export async function waitForProjections(
  { store }: Pick<Scope, 'store'>,
  event: { position: bigint; type: string },
  models: readonly Pick<AnyProjection, 'collection'>[],
): Promise<void> {
  await requireVisible(store, { position: event.position, types: [event.type] });
  requireLive(store, models);
}

/**
 * For timers, which begin before read models that are built anew are complete.
 * @throws AppError `unavailable` while one of these read models is being rebuilt or has stopped; then the timer is
 * tried again
 */
export function requireLive(
  store: Pick<StoreScope, 'isLive'>,
  models: readonly Pick<AnyProjection, 'collection'>[],
): void {
  if (!store.isLive(models)) throw behind();
}

/** Waits until the read models show what was written. @throws AppError `unavailable` when they do not in time */
export async function requireVisible(
  store: Pick<StoreScope, 'waitUntilVisible'>,
  written: Parameters<StoreScope['waitUntilVisible']>[0],
): Promise<void> {
  if (!(await store.waitUntilVisible(written))) throw behind();
}

function behind(): AppError {
  return new AppError('unavailable', [], { message: 'The read models are not up to date yet, try again' });
}

/**
 * Reads what this call has just created. A projection that is stopped or being rebuilt may not show it yet. Then this
 * throws `unavailable` and not `not_found`, which would say that nothing was created; a repetition with the idempotency
 * key finds it. If all projections are live, they contain the write, and `not_found` means that it was removed again.
 */
export async function readAfterCreate<T>(
  { store }: { store: Pick<StoreScope, 'isLive'> },
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    if (store.isLive()) throw error;
    throw new AppError('unavailable', [], {
      message: 'It was made, but cannot be shown yet',
      retryAfter: 1,
      cause: error,
    });
  }
}

const waitForMs = 2_000;
const formerCursor =
  'Was given before the installation was moved to other servers: begin again without it, or with `now`';

/**
 * Where a list by position begins and ends that clients follow. `after`: a position that an answer gave, or `now`;
 * without it, the list begins at the beginning. `head`: up to there all documents of the projection are known to be
 * written, so a page that ends there never passes events which another replica is still writing.
 * @throws AppError `invalid_request` naming `query.after` for a position that the log does not have, or of before a
 * move; `unavailable`
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

/** Checks a position. One after the last that this replica knows can be that of a recent change, or invalid. */
async function checkStart(store: Scope['store'], start: bigint, head: bigint): Promise<bigint> {
  if (await store.isFormer(start)) throw invalid('query.after', formerCursor);
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
