import { type Aggregate } from './aggregate.js';
import { type EventStore } from '../events/event-store.js';
import { type AnyEvent, type RawEvent } from '../events/events.js';
import { type Folded, emptyFold, foldMore } from './folded.js';
import { type Snapshots } from './snapshots.js';

const page = 500;

/** Reads a whole stream into a state. A long stream is read from its snapshot on, if there is a usable one. */
export async function readFolded<State, E extends AnyEvent>(
  events: EventStore,
  snapshots: Snapshots,
  aggregate: Aggregate<State, E>,
  stream: string,
): Promise<Folded<State>> {
  const part = await events.readStream(stream, 0n, page);
  const empty = emptyFold(aggregate.initial);
  if (part.kind !== 'events') return { ...empty, erased: part.kind === 'erased' };
  const first = foldMore(aggregate, empty, part.events);
  if (part.events.length < page) return first;
  const kept = await snapshots.find(aggregate, stream);
  return readOn(events, aggregate, stream, kept !== null && kept.revision > first.revision ? kept : first);
}

/** Reads the events after `before` and folds them. Returns `before` itself if there are none. */
export async function readOn<State, E extends AnyEvent>(
  events: EventStore,
  aggregate: Aggregate<State, E>,
  stream: string,
  before: Folded<State>,
): Promise<Folded<State>> {
  let folded = before;
  for (;;) {
    const part = await events.readStream(stream, folded.revision + 1n, page);
    if (part.kind !== 'events') {
      const nothing = emptyFold(aggregate.initial);
      return part.kind === 'erased' ? { ...nothing, erased: true } : folded.revision < 0n ? folded : nothing;
    }
    folded = foldMore(aggregate, folded, part.events);
    if (part.events.length < page) return folded;
  }
}

/** The events `first..last` of a stream. */
export async function readRange(events: EventStore, stream: string, first: bigint, last: bigint): Promise<RawEvent[]> {
  const part = await events.readStream(stream, first, Number(last - first) + 1);
  return part.kind === 'events' ? part.events.filter((event) => event.revision <= last) : [];
}
