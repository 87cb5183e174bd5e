const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Does `work` every `everyMs` milliseconds (never when that is 0), until the timer is cleared, and tells what it
 * answers. A work that fails is told and tried again at the next time; one that takes longer than that is not begun a
 * second time beside itself.
 */
export function regularly(
  name: string,
  everyMs: number,
  work: () => Promise<string | undefined>,
  log: (line: string) => void,
): NodeJS.Timeout | undefined {
  if (everyMs <= 0) return undefined;
  let running = false;
  const run = (): void => {
    if (running) return;
    running = true;
    void work()
      .then(
        (said) => {
          if (said !== undefined) log(`${name}: ${said}`);
        },
        (error: unknown) => {
          log(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
        },
      )
      .finally(() => {
        running = false;
      });
  };
  return setInterval(run, Math.min(everyMs, LONGEST_TIMER_MS)).unref();
}
