import { AppError } from '@scriptorium/contracts';
import type { Scope } from './scope.js';

/**
 * Reads what this call has just created. A projection that is stopped or being rebuilt may not show it yet. Then this
 * throws `unavailable` and not `not_found`, which would say that nothing was created; a repetition with the idempotency
 * key finds it. If all projections are live, they contain the write, and `not_found` means that it was removed again.
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
