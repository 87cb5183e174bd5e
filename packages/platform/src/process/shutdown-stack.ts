import type { Logger } from '../observability/logging.js';

/** The parts that were started, which are stopped in reverse order, however far the start has come. */
export interface ShutdownStack {
  /** Registers how to stop a part. It is stopped at once when the shutdown has begun. */
  add(name: string, end: () => void | Promise<void>): void;
  /**
   * Waits for a step of the start.
   * @throws when the shutdown begins before the step is done
   */
  step<T>(work: Promise<T>): Promise<T>;
  /** Stops everything, once. A failure is logged, and the rest is stopped all the same. Never rejects. */
  end(): Promise<void>;
}

export function createShutdownStack(logger: Pick<Logger, 'error'>): ShutdownStack {
  const shutdown: { name: string; end: () => void | Promise<void> }[] = [];
  const ending = new AbortController();
  let ended: Promise<void> | undefined;
  const endOne = async ({ name, end }: (typeof shutdown)[number]): Promise<void> => {
    try {
      await end();
    } catch (error) {
      logger.error({ err: error }, `${name} could not be ended`);
    }
  };
  const endAll = async (): Promise<void> => {
    for (let last = shutdown.pop(); last !== undefined; last = shutdown.pop()) await endOne(last);
  };
  return {
    add(name, end) {
      if (ending.signal.aborted) void endOne({ name, end });
      else shutdown.push({ name, end });
    },
    async step(work) {
      const interrupted = new Promise<never>((_, reject) => {
        const stop = (): void => reject(new Error('stopped while starting'));
        ending.signal.addEventListener('abort', stop, { once: true });
        void work.finally(() => ending.signal.removeEventListener('abort', stop)).catch(() => undefined);
        if (ending.signal.aborted) stop();
      });
      return Promise.race([work, interrupted]);
    },
    end() {
      ending.abort();
      return (ended ??= endAll());
    },
  };
}
