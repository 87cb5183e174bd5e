/**
 * Resolves after a time, when `signal` aborts, or when it is woken. `wakeable`: gets what wakes it.
 */
export function restFor(
  ms: number,
  signal: AbortSignal,
  wakeable: (wake: () => void) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    wakeable(done);
  });
}
