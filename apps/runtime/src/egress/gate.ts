/** Bounds requests in a second, at once, and those that wait. */
export interface Gate {
  /**
   * Waits for a place; undefined when there are too many requests. The function gives the place back.
   * @throws the reason of the signal
   */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

export interface GateLimits {
  perSecond: number;
  atOnce: number;
  waiting: number;
}

export function createGate({ perSecond, atOnce, waiting }: GateLimits, now: () => number = Date.now): Gate {
  const queue = new Set<() => void>();
  let second = 0;
  let begun = 0;
  let running = 0;
  const leave = (): void => {
    const [next] = queue;
    if (next === undefined) {
      running -= 1;
      return;
    }
    queue.delete(next);
    next();
  };
  return {
    async enter(signal) {
      signal.throwIfAborted();
      const at = Math.floor(now() / 1000);
      if (at !== second) [second, begun] = [at, 0];
      if (begun >= perSecond || (running >= atOnce && queue.size >= waiting)) return undefined;
      begun += 1;
      if (running < atOnce) running += 1;
      else await turn(queue, signal);
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}

function turn(queue: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const stop = (): void => {
      queue.delete(next);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    queue.add(next);
  });
}
