import { AppError } from '@scriptorium/contracts';

/**
 * Reads what this call has just made. Projections that are further behind than a write waits for (2 s) do not show it yet:
 * that is no `not_found`, which would tell the client that nothing was made. Throws `unavailable` instead: a call repeated
 * with its idempotency key finds it.
 */
export async function justMade<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    throw new AppError('unavailable', [], { message: 'It was made, but cannot be shown yet', retryAfter: 1, cause: error });
  }
}
