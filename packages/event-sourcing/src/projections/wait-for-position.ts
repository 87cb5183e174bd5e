import { type EventStore } from '../events/event-store.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';
import { type RawEvent } from '../events/events.js';
import { consumedPrefixes, entityPrefix } from '../events/streams.js';
import { type Clock, within } from '../process/time.js';

/** How a wait for a position ended. `late`: `ms` were not enough; `unknown`: the log does not go that far. */
export type PositionOutcome = 'reached' | 'late' | 'unknown';

/** The parts of a running store that know how far its projections are. */
export interface PositionParts {
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
 * See `Store.waitForPosition`. Projections know how far they are only by events they consume: when nothing is heard for
 * a while, the log is searched for such an event up to the position.
 */
export async function waitForPosition(parts: PositionParts, position: bigint, ms: number): Promise<PositionOutcome> {
  const { progress, projections, clock, events } = parts;
  const names = projections.map(({ collection }) => collection);
  const until = clock.monotonic() + ms;
  if (await progress.wait(names, position, Math.min(heardWithin, ms))) return 'reached';
  if ((await events.tail(Math.max(1, until - clock.monotonic()))) < position) return 'unknown';
  const last = await lastConsumed(parts, position, until - clock.monotonic()).catch(() => undefined);
  if (last === undefined) return 'late';
  const left = Math.max(0, until - clock.monotonic());
  const waits = [...last].map(([name, at]) => progress.wait([name], at, left));
  return (await Promise.all(waits)).every(Boolean) ? 'reached' : 'late';
}

/**
 * For each projection that has not passed all of them, the position of the last event up to `position` that it
 * consumes.
 */
async function lastConsumed(parts: PositionParts, position: bigint, ms: number): Promise<Map<string, bigint>> {
  const { projections, events, clock } = parts;
  const behind = projections.map((projection) => consumerOf(parts, projection));
  const from = behind.reduce((least, { at }) => (at < least ? at : least), position);
  const until = clock.monotonic() + ms;
  const source = events.subscribe(consumedPrefixes(parts, parts.projections), from);
  const last = new Map<string, bigint>();
  try {
    for (;;) {
      const batch = await within(until - clock.monotonic(), 'searching the log', source.next(batchSize, 0));
      for (const event of batch.events)
        for (const { name, at, consumes } of behind)
          if (event.position <= position && event.position > at && consumes(event)) last.set(name, event.position);
      if (batch.caughtUp || (batch.position ?? -1n) >= position) return last;
    }
  } finally {
    await source.stop();
  }
}

interface Consumer {
  readonly name: string;
  /** How far it is for sure. */
  readonly at: bigint;
  readonly consumes: (event: RawEvent) => boolean;
}

function consumerOf({ progress, namespace, service }: PositionParts, projection: AnyProjection): Consumer {
  const { collection: name, entities, types } = projection;
  const prefixes = entities.map((entity) => entityPrefix(namespace, service, entity));
  return {
    name,
    at: progress.of(name)?.at ?? -1n,
    consumes: ({ type, stream }) => types.has(type) && prefixes.some((prefix) => stream.startsWith(prefix)),
  };
}
