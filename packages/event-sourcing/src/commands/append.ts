import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from '../aggregates/aggregate.js';
import { type Commit, type Folded, foldMore } from '../aggregates/folded.js';
import { readRange } from '../aggregates/stream-reader.js';
import { type NewEvent } from '../events/event-store.js';
import {
  type AnyEvent,
  type EventOf,
  type EventTable,
  type RawEvent,
  type Recorded,
  checkNew,
  readEvent,
} from '../events/events.js';
import { stamp } from '../events/metadata.js';
import { type Clock } from '../shared/time.js';
import { type Command, type Done } from './command.js';
import { keepDryEvents, nextDryPosition, noteRecorded } from './work.js';

/** Milliseconds that one append may take. */
const longestAppend = 5000;

/** Appends the events, if the stream is still as it was when they were decided. */
export async function append<State, E extends AnyEvent>(
  command: Command<State, E>,
  folded: Folded<State>,
  decidedEvents: readonly E[],
): Promise<Done<State, E> | 'moved'> {
  const { parts, aggregate, stream } = command;
  const fresh = prepare(command, folded, decidedEvents);
  const left = remaining(parts.clock, command.context);
  let outcome;
  try {
    outcome = await parts.events.append(stream, folded.revision, fresh, Math.min(longestAppend, left));
  } catch (error) {
    // Nobody knows whether it was written: what is remembered of this stream may be old.
    parts.cache.delete(stream);
    throw error;
  }
  if (outcome.kind === 'moved') return 'moved';
  if (outcome.kind === 'erased') {
    parts.cache.delete(stream);
    throw new AppError('not_found');
  }
  const { revision: last, position } = outcome;
  const types = fresh.map(({ type }) => type);
  noteRecorded(command.work, { position, types });
  const { organization } = command.context;
  parts.recorded({ organization, entity: `${aggregate.service}.${aggregate.entity}`, position, types });
  const raws = fresh.map((event, index) =>
    asRecorded(event, stream, last - BigInt(fresh.length - 1 - index), position),
  );
  const after = foldMore(aggregate, folded, raws);
  parts.cache.set(stream, after);
  parts.snapshots.offer(aggregate, stream, folded.revision, after);
  parts.metrics.appended?.(aggregate.entity, raws.length);
  return outcomeOf(command, after, raws);
}

function outcomeOf<State, E extends AnyEvent>(
  { aggregate }: Command<State, E>,
  after: Folded<State>,
  raws: readonly RawEvent[],
): Done<State, E> {
  return {
    state: after.state,
    events: raws.flatMap((raw) => read(aggregate, raw)),
    revision: after.revision,
    position: after.position,
    repeated: false,
    types: raws.map(({ type }) => type),
  };
}

/** What an append would have done. Only this work sees the events; their positions are behind the end of the log. */
export function appendDry<State, E extends AnyEvent>(
  command: Command<State, E>,
  folded: Folded<State>,
  decidedEvents: readonly E[],
): Done<State, E> {
  const { aggregate, stream, work } = command;
  const fresh = prepare(command, folded, decidedEvents);
  const next = nextDryPosition(work);
  const raws = fresh.map((event, index) =>
    asRecorded(event, stream, folded.revision + BigInt(index + 1), next + BigInt(index)),
  );
  keepDryEvents(work, raws);
  return outcomeOf(command, foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, raws), raws);
}

/** The fold with the events of this dry run; the fold itself is shared with other requests and stays as it is. */
export function withDryEvents<State, E extends AnyEvent>(
  { aggregate, stream, work }: Command<State, E>,
  folded: Folded<State>,
): Folded<State> {
  const events = work.dryEvents.filter((event) => event.stream === stream);
  return events.length === 0 ? folded : foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, events);
}

function prepare<State, E extends AnyEvent>(
  { parts, aggregate, context }: Command<State, E>,
  folded: Folded<State>,
  events: readonly E[],
): NewEvent[] {
  const metadata = stamp(context, parts.clock.now(), folded.lastTime);
  // Two processes may carry out one command at once. Ids that follow from its key would make the log take the later append
  // for the earlier one again and acknowledge it, although its data may be other: the later one has to find that it was late.
  return events.map((event) => {
    const { type, data } = checkNew(aggregate.events, event);
    return { id: parts.ids.uuid(), type, data, metadata };
  });
}

/** The position of all events of one append is taken as the last one's: whoever waits, waits for the whole. */
function asRecorded(event: NewEvent, stream: string, revision: bigint, position: bigint): RawEvent {
  return { ...event, stream, revision, position, created: new Date(event.metadata.time) };
}

/** What the command recorded when it was carried out before. */
export async function readRepeated<State, E extends AnyEvent>(
  { parts, aggregate, stream, work }: Command<State, E>,
  folded: Folded<State>,
  commit: Commit,
): Promise<Done<State, E>> {
  const raws = await readRange(parts.events, stream, commit.first, commit.last);
  noteRecorded(work, { position: commit.position, types: raws.map(({ type }) => type) });
  return {
    state: folded.state,
    events: raws.flatMap((raw) => read(aggregate, raw)),
    revision: commit.last,
    position: commit.position,
    repeated: true,
    types: raws.map(({ type }) => type),
  };
}

function read<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, raw: RawEvent): Recorded<E>[] {
  const event: Recorded<EventOf<EventTable>> | null = readEvent(aggregate.events, raw);
  return event === null ? [] : [event as unknown as Recorded<E>];
}

function remaining(clock: Clock, { deadline }: { deadline: number }): number {
  return deadline - clock.now();
}

/** @throws `unavailable` when the deadline of the command has passed. */
export function checkDeadline(clock: Clock, context: { deadline: number }): void {
  if (remaining(clock, context) <= 0)
    throw new AppError('unavailable', [], { message: 'the deadline of the command has passed' });
}
