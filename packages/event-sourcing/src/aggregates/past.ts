import { AppError } from '@scriptorium/contracts';
import { type EventStore } from '../events/event-store.js';
import { type Log } from '../events/log-offset.js';
import { type RawEvent, readMetadata } from '../events/events.js';

/** A stream up to an earlier time or position. */
export interface Past {
  /** The entity with its service: `identity.team`. */
  readonly entity: string;
  /** The events in batches. */
  events(): AsyncIterable<readonly RawEvent[]>;
}

/** The end of the past: a time (ISO, UTC, with milliseconds), or a position in the log. */
export type Until = { readonly time: string } | { readonly position: bigint };

const mostEvents = 10_000;
const page = 500;

/** See `Store.past`. */
export async function openPast(
  events: Log,
  of: { service: string; entity: string },
  stream: string,
  until: Until,
): Promise<Past | 'later' | 'former'> {
  if ('position' in until && until.position > 0n && until.position <= (await events.offset())) return 'former';
  if ('position' in until && until.position > (await events.tail())) return 'later';
  // One event shows that there are too many, so that the others need not be read.
  const beyond = await events.readStream(stream, BigInt(mostEvents), 1);
  if (beyond.kind === 'events' && beyond.events.some((event) => isWithin(event, until)))
    throw new AppError('history_too_long');
  return { entity: `${of.service}.${of.entity}`, events: () => eventsUntil(events, stream, until) };
}

async function* eventsUntil(events: EventStore, stream: string, until: Until): AsyncGenerator<RawEvent[]> {
  for (let count = 0; ;) {
    const part = await events.readStream(stream, BigInt(count), page);
    const earlier = part.kind === 'events' ? part.events.filter((event) => isWithin(event, until)) : [];
    count += earlier.length;
    yield earlier;
    if (earlier.length < page) return;
  }
}

function isWithin(event: RawEvent, until: Until): boolean {
  return 'position' in until ? event.position <= until.position : readMetadata(event).time <= until.time;
}
