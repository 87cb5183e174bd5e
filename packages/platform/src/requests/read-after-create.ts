import { AppError } from '@scriptorium/contracts';
import type { Scope } from '../scope/scope.js';

/**
 * Reads what this call has just made. While a projection is stopped or rebuilt it may not show it yet: that is no `not_found`,
 * which would tell the client that nothing was made. Throws `unavailable` instead: a call repeated with its idempotency key
 * finds it. With all projections live the write has been waited for, and `not_found` says what it says: it is gone again.
 */
export async function readAfterCreate<T>(scope: Pick<Scope, 'isLive'>, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    if (await scope.isLive()) throw error;
    throw new AppError('unavailable', [], {
      message: 'It was made, but cannot be shown yet',
      retryAfter: 1,
      cause: error,
    });
  }
}
