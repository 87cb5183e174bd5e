import type { Scope } from '@scriptorium/platform';
import { attempts, keyOf, record } from './attempts.operational.js';

/** Something of which a user or an organization may have so many in a day. */
export interface Daily {
  kind: 'inviter' | 'inviting';
  /** The subject: the id of a user or of an organization. */
  of: string;
  most: number;
}

const day = 86_400_000;
/** When a turn is looked for again that many wanted at the same moment, ms. */
const raceMs = 1_000;
/** Each race has a winner: as many that come at the same moment all get their turn. */
const mostRaces = 100;

/** How many of something can happen now without a wait. */
export async function countFree(scope: Scope, daily: Daily): Promise<number> {
  const known = await attempts(scope).findOne({ _id: keyOf(scope, daily) });
  const used = Math.max(0, (known?.next ?? 0) - scope.now());
  return Math.max(0, Math.floor((day - used) / (day / daily.most)));
}

/**
 * Takes the next turn of something, and returns how long it has to wait, in ms. As many as there may be in a day have
 * none; those after them follow at even distances. A turn is taken for good, so whoever waits asks once.
 */
export async function takeTurn(scope: Scope, daily: Daily): Promise<number> {
  const key = keyOf(scope, daily);
  const distance = day / daily.most;
  for (let race = 0; race < mostRaces; race += 1) {
    const now = scope.now();
    const known = await attempts(scope).findOne({ _id: key });
    const from = Math.max(known?.next ?? 0, now);
    const next = Math.ceil(from + distance);
    // It is kept until all turns that were taken are over.
    if (await record(attempts(scope), key, known, { tries: (known?.tries ?? 0) + 1, next, at: next }))
      return Math.max(0, Math.ceil(from - now - (day - distance)));
  }
  return raceMs;
}
