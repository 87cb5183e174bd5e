import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from '../aggregates/aggregate.js';
import { type Commit, type Folded, foldMore, readRange } from '../aggregates/folded.js';
import { type NewEvent } from '../events/event-store.js';
import {
  type AnyEvent,
  type EventOf,
  type EventTable,
  type RawEvent,
  type Recorded,
  checkNew,
  readEvent,
  stamp,
} from '../events/events.js';
import { type Outcomes, allRejected } from '../process/queues.js';
import { type Clock } from '../process/time.js';
import { type AnyCommand, type AnyDone, type AnyMaking, type DecidedCommand, type Made } from './command.js';
import { askPrecondition, keepDryEvents, nextDryPosition, noteRecorded } from './work.js';

/** How the command makes something first, if it does. */
export function makingOf({ decide }: AnyCommand): AnyMaking | undefined {
  return typeof decide === 'function' ? undefined : decide;
}

/** What a command comes to. */
export interface Judged {
  /** The fold with the events of this dry run. */
  seen: Folded;
  outcome: Outcome;
}

type Outcome =
  | { kind: 'repeated'; commit: Commit }
  | { kind: 'refused'; error: unknown }
  | { kind: 'nothing' | 'events'; made: Made<AnyEvent> };

/** What the command comes to on this fold. Events count only where the precondition of the request holds. */
export async function judge(command: AnyCommand, folded: Folded): Promise<Judged> {
  const seen = withDryEvents(command, folded);
  const { context, aggregate, decide, work } = command;
  const commit = context.idem === undefined ? undefined : seen.commits.get(context.idem);
  if (commit !== undefined) return { seen, outcome: { kind: 'repeated', commit } };
  const written = { position: folded.position, types: aggregate.events.types };
  try {
    if (typeof decide !== 'function') await askPrecondition(work, written);
    const made =
      typeof decide === 'function'
        ? { events: decide(seen.state) }
        : await decide.make({ state: seen.state, ...written });
    if (made.events.length === 0) return { seen, outcome: { kind: 'nothing', made } };
    if (typeof decide === 'function') await askPrecondition(work, written);
    return { seen, outcome: { kind: 'events', made } };
  } catch (error) {
    return { seen, outcome: { kind: 'refused', error } };
  }
}

/** Milliseconds that one append may take. */
const longestAppend = 5000;

/** Appends the events of all these commands of one stream, if the stream is still as it was when they were decided. */
export async function append(
  commitBatch: readonly [DecidedCommand, ...DecidedCommand[]],
  folded: Folded,
): Promise<Outcomes<AnyDone> | 'moved'> {
  const [head, ...rest] = commitBatch;
  const { parts, aggregate, stream } = head.command;
  const events = commitBatch.flatMap((one) => one.events);
  try {
    await makingOf(head.command)?.beforeAppend?.(commitBatch.map(({ made }) => made));
  } catch (reason) {
    return allRejected(commitBatch, reason);
  }
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
  const record = ({ command, events: own, made }: DecidedCommand): PromiseFulfilledResult<AnyDone> => {
    const raws = recordedAt(stream, after.revision, own, position);
    after = foldMore(aggregate, after, raws);
    announceCommit(command, position, raws);
    return { status: 'fulfilled', value: { ...outcomeOf(command, after, raws), made } };
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
export function appendDry(command: AnyCommand, folded: Folded, made: Made<AnyEvent>): AnyDone {
  const { aggregate, stream, work } = command;
  const { events } = prepare(command, folded, made);
  const next = nextDryPosition(work);
  const raws = events.map((event, index) =>
    asRecorded(event, stream, folded.revision + BigInt(index + 1), next + BigInt(index)),
  );
  keepDryEvents(work, raws);
  const after = foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, raws);
  return { ...outcomeOf(command, after, raws), made };
}

/** The fold with the events of this dry run; the fold itself is shared with other requests and stays as it is. */
export function withDryEvents({ aggregate, stream, work }: AnyCommand, folded: Folded): Folded {
  const events = work.dryEvents.filter((event) => event.stream === stream);
  return events.length === 0 ? folded : foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, events);
}

/** The events of a command that was decided on this fold. */
export function prepare(command: AnyCommand, folded: Folded, made: Made<AnyEvent>): DecidedCommand {
  const { parts, aggregate, context } = command;
  const metadata = stamp(context, parts.clock.now(), folded.lastTime);
  // Two processes may carry out one command at once. Ids that follow from its key would make the log take the later
  // append for the earlier one again and acknowledge it, although its data may be other: the later one has to find that
  // it was late.
  const events = made.events.map((event) => {
    const { type, data } = checkNew(aggregate.events, event);
    return { id: parts.ids.uuid(), type, data, metadata };
  });
  return { command, events, made };
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
