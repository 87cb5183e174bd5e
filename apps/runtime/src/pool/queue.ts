import { Refusal } from '../refusal.js';

/** Calls that wait for room. */
export interface Queue {
  /**
   * Waits until something has changed.
   * @throws Refusal `runtime_busy` when the signal is aborted before
   */
  turn(signal: AbortSignal): Promise<void>;
  wakeAll(): void;
}

export function createQueue(): Queue {
  const waiting = new Set<() => void>();
  return {
    turn: (signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', stop);
        };
        const wake = (): void => {
          leave();
          resolve();
        };
        const stop = (): void => {
          leave();
          reject(new Refusal('runtime_busy', 'There is no room for another call or process', { retryAfter: 1 }));
        };
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
        if (!signal.aborted) waiting.add(wake);
      }),
    wakeAll() {
      for (const wake of [...waiting]) wake();
    },
  };
}
