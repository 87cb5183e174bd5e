import { MOST_IN_BATCH } from './limits.js';

/** Sends the messages of one turn of the event loop as one batch. */
export interface Turn {
  /**
   * Returns a function that takes items. At the end of the turn, or earlier when many wait, `send` gets those with the
   * same `to`, in order. It must not throw.
   */
  gather<T extends { readonly to: string }>(send: (items: readonly T[]) => void): (item: T) => void;
  /** Sends what waits. */
  end(): void;
}

/**
 * The client writes to its socket as soon as a callback has ended. A batch is one write, one read by the server, and
 * one read by the receiver: these system calls were a quarter of what a read costs.
 */
export function createTurn(): Turn {
  const ends: (() => void)[] = [];
  return {
    gather<T extends { readonly to: string }>(send: (items: readonly T[]) => void) {
      let waiting: T[] = [];
      const end = (): void => {
        const items = waiting;
        waiting = [];
        if (items.length === 1) return send(items);
        for (const messageBatch of byReceiver(items)) send(messageBatch);
      };
      ends.push(end);
      return (item: T): void => {
        const count = waiting.push(item);
        if (count === 1) setImmediate(end);
        // With more, the processes would wait for each other instead of working at the same time.
        else if (count >= MOST_IN_BATCH) end();
      };
    },
    end: () => ends.forEach((end) => end()),
  };
}

function byReceiver<T extends { readonly to: string }>(items: readonly T[]): Iterable<T[]> {
  const batches = new Map<string, T[]>();
  for (const item of items) {
    const messageBatch = batches.get(item.to);
    if (messageBatch === undefined) batches.set(item.to, [item]);
    else messageBatch.push(item);
  }
  return batches.values();
}
