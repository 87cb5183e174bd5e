import { inOrder } from './in-order.js';
import { runsOf } from './order.js';
import { type Work } from './words.js';

/** What one side has at one place: what is known there before, and what each says. */
export type Side = { keys: readonly string[]; isKnown: (key: string) => boolean; textOf: (key: string) => string };

/** The pairs of what both sides added alike behind the same anchor, in the order of both. */
export function addedAlike(ours: Side, theirs: Side, work: Work): Array<[mine: string, other: string]> {
  const theirRuns = runsOf(theirs.keys, theirs.isKnown);
  if (theirRuns.size === 0) return [];
  return [...runsOf(ours.keys, ours.isKnown)].flatMap(([anchor, run]) => {
    const others = theirRuns.get(anchor) ?? [];
    return inOrder(run.map(ours.textOf), others.map(theirs.textOf), work).map(([i, j]): [string, string] => [run[i] ?? '', others[j] ?? '']);
  });
}
