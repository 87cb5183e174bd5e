import { AppError } from '@scriptorium/contracts';
import type { Store } from '@scriptorium/event-sourcing';

/**
 * Reads what this call has just made. While a projection is stopped or rebuilt it may not show it yet: that is no `not_found`,
 * which would tell the client that nothing was made. Throws `unavailable` instead: a call repeated with its idempotency key
 * finds it. With all projections live the write has been waited for, and `not_found` says what it says: it is gone again.
 */
export async function justMade<T>({ store }: { store: Pick<Store, 'health'> }, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    const { projections } = await store.health();
    if (projections.every(({ state }) => state === 'live')) throw error;
    throw new AppError('unavailable', [], { message: 'It was made, but cannot be shown yet', retryAfter: 1, cause: error });
  }
}
