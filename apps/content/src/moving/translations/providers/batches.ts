import { type Segment } from '@scriptorium/rich-text';

const mostSegments = 40;
const mostCharacters = 4_000;

/** Segments in their order, as many at once as a provider translates well. Only a longer segment exceeds that. */
export function batchesOf(segments: readonly Segment[]): Segment[][] {
  const batches: Segment[][] = [];
  let characters = 0;
  for (const segment of segments) {
    const last = batches[batches.length - 1];
    characters += segment.text.length;
    if (last !== undefined && last.length < mostSegments && characters <= mostCharacters) last.push(segment);
    else {
      batches.push([segment]);
      characters = segment.text.length;
    }
  }
  return batches;
}

const delays = [2_000, 10_000, 60_000];
/** How often all texts of a batch are asked for together. */
export const triesTogether = delays.length + 1;

/** How long to wait, in ms, before another try after so many; `undefined` when it was the last one. */
export const waitBeforeTry = (tries: number): number | undefined => delays[tries - 1];

/** How long to wait, in ms, for a provider that has said how long. */
export const waitWhenTold = (retryAfterMs: number): number => Math.max(2_000, retryAfterMs);
