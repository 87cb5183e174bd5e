import type { Screen } from './screen.js';

/** Shows how far work is. */
export interface Progress {
  /** One more of `total` is done; `what` is being done now. */
  step(what: string): void;
  end(): void;
}

const width = 30;
const everyMs = 1_000;

/** A bar for work of which is known how much it is. */
export function createProgress(total: number, screen: Screen): Progress {
  let done = 0;
  return {
    step(what) {
      done = Math.min(total, done + 1);
      const filled = Math.round((done / total) * width);
      screen.show(`[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} ${what}`);
    },
    end: () => screen.clear(),
  };
}

/** Shows for how many seconds work has been going on, until it has ended. */
export async function whileWorking<T>(screen: Screen, what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  screen.show(what);
  const timer = setInterval(
    () => screen.show(`${what} (${Math.round((performance.now() - started) / 1000)} s)`),
    everyMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    screen.clear();
  }
}
