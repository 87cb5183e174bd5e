import { AppError } from '@scriptorium/contracts';

/**
 * Asks one replica after the other, as long as they cannot be reached. `none`: the refusal when there is none.
 * @throws what `none` answers, and what `ask` throws for the last replica that was asked
 */
export async function fromFirstReached<T>(
  urls: readonly string[],
  none: () => AppError,
  ask: (url: string) => Promise<T>,
): Promise<T> {
  if (urls.length === 0) throw none();
  let failure: unknown;
  for (const url of urls) {
    try {
      return await ask(url);
    } catch (error) {
      failure = error;
      if (!isUnreached(error)) break;
    }
  }
  throw failure;
}

/** Nothing of the request was carried out: its replica is gone. */
function isUnreached(error: unknown): boolean {
  const cause = error instanceof AppError ? (error.cause as { code?: unknown } | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'EHOSTUNREACH';
}
