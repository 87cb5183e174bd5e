import { setTimeout as delay } from 'node:timers/promises';
import { type Clock } from '@scriptorium/event-sourcing';
import { type Freshness } from './freshness.js';

const [longestMs, againMs] = [500, 25];

/**
 * Whether the read models are fresh now, or become so within 0.5 s. What a process of the other service says first is
 * due at once, and a service that has just begun has heard nothing yet: both are over in a moment. All who wait share
 * one wait, so that many requests ask no more often than one.
 */
export function createFreshWait(freshness: Pick<Freshness, 'isFresh'>, clock: Clock): () => Promise<boolean> {
  let waiting: Promise<boolean> | undefined;
  const becomesFresh = async (): Promise<boolean> => {
    for (const end = clock.monotonic() + longestMs; clock.monotonic() < end;) {
      await delay(againMs);
      if (await freshness.isFresh()) return true;
    }
    return false;
  };
  return async () => (await freshness.isFresh()) || (waiting ??= becomesFresh().finally(() => (waiting = undefined)));
}
