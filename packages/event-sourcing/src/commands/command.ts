import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from '../aggregates/aggregate.js';
import { type Commit, type FoldCache, type Folded, foldMore, type Snapshots, readRange } from '../aggregates/folded.js';
import { type EventStore, type NewEvent } from '../events/event-store.js';
import {
  type AnyEvent,
  type CommandContext,
  type EventOf,
  type EventTable,
  type RawEvent,
  type Recorded,
  checkNew,
  readEvent,
  stamp,
} from '../events/events.js';
import { type Ids } from '../process/ids.js';
import { type StoreMetrics } from '../process/observe.js';
import { type BatchQueue, type Outcomes, allRejected } from '../process/queues.js';
import { type Clock } from '../process/time.js';
import { type Work, keepDryEvents, nextDryPosition, noteRecorded } from './work.js';

/**
 * A decision: what happens in this state. Pure and synchronous; refuses by throwing `AppError`; `[]` means nothing to
 * do.
 */
export type Decide<State, E> = (state: State) => readonly E[];

/** What a command did. */
export interface Done<State, E extends AnyEvent> {
  /** The state behind all events of the stream that are known. */
  state: State;
  /** What this command recorded; empty when there was nothing to do. */
  events: readonly Recorded<E>[];
  /** Revision of its last event, or of the stream when it recorded nothing; `-1n` when there is no stream. */
  revision: bigint;
  /** Commit position of that event. */
  position: bigint;
  /** The command had been carried out before (same `idem`); `events` are those of that time. */
  repeated: boolean;
  /**
   * The types whose projections a reader of this outcome has to wait for: what was recorded, or all when nothing was.
   */
  types: readonly string[];
}

/** What is told of each append. */
export interface RecordedCommit {
  organization: string | null;
  /** Entity of the stream in full: `identity.team`. */
  entity: string;
  /** Commit position of its last event. */
  position: bigint;
  /** The types of its events. */
  types: readonly string[];
}

export interface HandleParts {
  namespace: string;
  events: EventStore;
  snapshots: Snapshots;
  cache: FoldCache;
  /** Commands of this process that wait for the same stream. */
  queue: BatchQueue<AnyCommand, AnyDone>;
  clock: Clock;
  ids: Ids;
  metrics: StoreMetrics;
  recorded: (commit: RecordedCommit) => void;
}

export interface CommandOptions {
  context: CommandContext;
  work: Work;
  /** See `HandleOptions`. */
  isNew?: boolean | undefined;
  fromMemory?: boolean | undefined;
}

/** One command on one stream, within its work. */
export interface Command<State, E extends AnyEvent> extends CommandOptions {
  parts: HandleParts;
  aggregate: Aggregate<State, E>;
  stream: string;
  context: CommandContext & { deadline: number };
  decide: Decide<State, E>;
}

/** A command whose types are known to whoever gave it. All commands of one stream have the same ones. */
export type AnyCommand = Command<unknown, AnyEvent>;
export type AnyCommands = readonly [AnyCommand, ...AnyCommand[]];
export type AnyDone = Done<unknown, AnyEvent>;

/** Milliseconds that one append may take. */
const longestAppend = 5000;

/** A command with the events that it came to, as they are written. */
export interface DecidedCommand {
  command: AnyCommand;
  events: readonly NewEvent[];
}

/** Appends the events of all these commands of one stream, if the stream is still as it was when they were decided. */
export async function append(
  commitBatch: readonly [DecidedCommand, ...DecidedCommand[]],
  folded: Folded,
): Promise<Outcomes<AnyDone> | 'moved'> {
  const [head, ...rest] = commitBatch;
  const { parts, aggregate, stream } = head.command;
  const events = commitBatch.flatMap((one) => one.events);
  const left = Math.max(...commitBatch.map(({ command }) => remaining(parts.clock, command.context)));
  let outcome;
  try {
    outcome = await parts.events.append(stream, folded.revision, events, Math.min(longestAppend, left));
    if (outcome.kind === 'moved') return 'moved';
    if (outcome.kind === 'erased') throw new AppError('not_found');
  } catch (reason) {
    // It is unknown whether the events were written, so the cached state of this stream may be old.
    parts.cache.delete(stream);
    return allRejected(commitBatch, reason);
  }
  const { position } = outcome;
  let after = folded;
  // The events are in the log: nothing here may throw, or a command would be told that it failed.
  const record = ({ command, events: own }: DecidedCommand): PromiseFulfilledResult<AnyDone> => {
    const raws = recordedAt(stream, after.revision, own, position);
    after = foldMore(aggregate, after, raws);
    announceCommit(command, position, raws);
    return { status: 'fulfilled', value: outcomeOf(command, after, raws) };
  };
  const outcomes: Outcomes<AnyDone> = [record(head), ...rest.map(record)];
  parts.cache.set(stream, after);
  parts.snapshots.offer(aggregate, stream, folded.revision, after);
  parts.metrics.appended?.(aggregate.entity, events.length);
  return outcomes;
}

function announceCommit(
  { parts, aggregate, context, work }: AnyCommand,
  position: bigint,
  raws: readonly RawEvent[],
): void {
  const types = raws.map(({ type }) => type);
  noteRecorded(work, { position, types });
  const { organization } = context;
  parts.recorded({ organization, entity: `${aggregate.service}.${aggregate.entity}`, position, types });
}

function outcomeOf({ aggregate }: AnyCommand, after: Folded, raws: readonly RawEvent[]): AnyDone {
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
export function appendDry(command: AnyCommand, folded: Folded, decidedEvents: readonly AnyEvent[]): AnyDone {
  const { aggregate, stream, work } = command;
  const { events } = prepare(command, folded, decidedEvents);
  const next = nextDryPosition(work);
  const raws = events.map((event, index) =>
    asRecorded(event, stream, folded.revision + BigInt(index + 1), next + BigInt(index)),
  );
  keepDryEvents(work, raws);
  return outcomeOf(command, foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, raws), raws);
}

/** The fold with the events of this dry run; the fold itself is shared with other requests and stays as it is. */
export function withDryEvents({ aggregate, stream, work }: AnyCommand, folded: Folded): Folded {
  const events = work.dryEvents.filter((event) => event.stream === stream);
  return events.length === 0 ? folded : foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, events);
}

/** The events of a command that was decided on this fold. */
export function prepare(command: AnyCommand, folded: Folded, events: readonly AnyEvent[]): DecidedCommand {
  const { parts, aggregate, context } = command;
  const metadata = stamp(context, parts.clock.now(), folded.lastTime);
  // Two processes may carry out one command at once. Ids that follow from its key would make the log take the later
  // append for the earlier one again and acknowledge it, although its data may be other: the later one has to find that
  // it was late.
  const checked = events.map((event) => {
    const { type, data } = checkNew(aggregate.events, event);
    return { id: parts.ids.uuid(), type, data, metadata };
  });
  return { command, events: checked };
}

/**
 * The events behind a revision of a stream as they are when the log has them at this position. The position of all
 * events of one append is taken as the last one's: whoever waits, waits for the whole.
 */
export function recordedAt(stream: string, behind: bigint, events: readonly NewEvent[], position: bigint): RawEvent[] {
  return events.map((event, index) => asRecorded(event, stream, behind + BigInt(index + 1), position));
}

function asRecorded(event: NewEvent, stream: string, revision: bigint, position: bigint): RawEvent {
  return { ...event, stream, revision, position, created: new Date(event.metadata.time) };
}

/** What the command recorded when it was carried out before. */
export async function readRepeated(
  { parts, aggregate, stream, work }: AnyCommand,
  folded: Folded,
  commit: Commit,
): Promise<AnyDone> {
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

function read(aggregate: Aggregate<unknown, AnyEvent>, raw: RawEvent): Recorded[] {
  const event: Recorded<EventOf<EventTable>> | null = readEvent(aggregate.events, raw);
  return event === null ? [] : [event];
}

function remaining(clock: Clock, { deadline }: { deadline: number }): number {
  return deadline - clock.now();
}

/** Whether the deadline of the command has passed. */
export function isOver(clock: Clock, context: { deadline: number }): boolean {
  return remaining(clock, context) <= 0;
}

/** @throws `unavailable` when the deadline of the command has passed. */
export function checkDeadline(clock: Clock, context: { deadline: number }): void {
  if (isOver(clock, context))
    throw new AppError('unavailable', [], { message: 'the deadline of the command has passed' });
}
