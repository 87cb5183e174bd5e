import { type EventStore } from './event-store.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';
import { projectedPrefixes } from './streams.js';
import { type Clock, within } from './time.js';

/** `late`: `ms` were not enough; `unknown`: the log does not go that far. */
export type Reached = 'reached' | 'late' | 'unknown';

/** The parts of a running store that know. */
export interface Reaching {
  readonly namespace: string;
  readonly service: string;
  readonly projections: readonly AnyProjection[];
  readonly progress: Progress;
  readonly events: EventStore;
  readonly clock: Clock;
}

const heardWithin = 100;
const batchSize = 1024;

/**
 * See `Store.reached`. Projections know how far they are only by events they consume: when nothing is heard for a while, the
 * log is searched for such an event up to the position.
 */
export async function reached(parts: Reaching, position: bigint, ms: number): Promise<Reached> {
  const { progress, projections, clock, events } = parts;
  const names = projections.map(({ collection }) => collection);
  const until = clock.monotonic() + ms;
  if (await progress.wait(names, position, Math.min(heardWithin, ms))) return 'reached';
  if ((await events.tail(Math.max(1, until - clock.monotonic()))) < position) return 'unknown';
  const last = await lastConsumed(parts, position, until - clock.monotonic()).catch(() => undefined);
  if (last === undefined) return 'late';
  return (await progress.wait(names, last, Math.max(0, until - clock.monotonic()))) ? 'reached' : 'late';
}

/** Position of the last event up to `position` that concerns a projection which has not passed it; `-1n` when there is none. */
async function lastConsumed(parts: Reaching, position: bigint, ms: number): Promise<bigint> {
  const { progress, projections, events, clock } = parts;
  const points = projections.flatMap(({ collection }) => progress.of(collection)?.at ?? []);
  const from = points.reduce((least, at) => (at < least ? at : least), position);
  const types = new Set(projections.flatMap((projection) => [...projection.types]));
  const until = clock.monotonic() + ms;
  const source = events.subscribe(projectedPrefixes(parts), from);
  try {
    let last = -1n;
    for (;;) {
      const batch = await within(until - clock.monotonic(), 'searching the log', source.next(batchSize, 0));
      for (const event of batch.events) if (event.position <= position && types.has(event.type)) last = event.position;
      if (batch.caughtUp || (batch.position ?? -1n) >= position) return last;
    }
  } finally {
    await source.stop();
  }
}
