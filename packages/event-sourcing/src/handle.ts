import { AppError } from '@scriptorium/contracts';
import { type Aggregate, streamOf } from './aggregate.js';
import { askPrecondition, imagine, imaginedEvents, isDry, nextImagined, noteRecorded } from './conduct.js';
import { type EventStore, type NewEvent } from './event-store.js';
import { type AnyEvent, type EventOf, type EventTable, type RawEvent, type Recorded, checkNew, readEvent } from './events.js';
import { type Commit, type FoldCache, type Folded, foldMore } from './folded.js';
import { type Ids, derivedUuid } from './ids.js';
import { type CommandContext, stamp } from './metadata.js';
import { type StoreMetrics } from './observe.js';
import { type Snapshots } from './snapshots.js';
import { type KeyedQueue } from './stream-queue.js';
import { readFolded, readOn, readRange } from './stream-reader.js';
import { type Clock, pause } from './time.js';

/** A decision: what happens in this state. Pure and synchronous; refuses by throwing `AppError`; `[]` means nothing to do. */
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
  /** The types whose projections a reader of this outcome has to wait for: what was recorded, or all when nothing was. */
  types: readonly string[];
}

export interface HandleParts {
  namespace: string;
  events: EventStore;
  snapshots: Snapshots;
  cache: FoldCache;
  queue: KeyedQueue;
  clock: Clock;
  ids: Ids;
  metrics: StoreMetrics;
  recorded: (organization: string | null, position: bigint) => void;
}

const conflictRetries = 3;
const longestAppend = 5000;
const defaultDeadline = 10_000;

/**
 * Runs one command on one stream: fold, decide, append with the expected revision. Commands of this process on the same
 * stream queue. A refusal, of the decision or of the precondition, `[]`, or a dry run on a remembered state is decided again
 * on a fresh read. Conflicts with other processes are retried three times, then `AppError('conflict')`. A passed deadline or a
 * server that does not answer is `unavailable`: the command may have happened, a retry with the same `idem` finds out.
 */
export function handleCommand<State, E extends AnyEvent>(
  parts: HandleParts,
  aggregate: Aggregate<State, E>,
  id: string,
  context: CommandContext,
  decide: Decide<State, E>,
): Promise<Done<State, E>> {
  const stream = streamOf(parts.namespace, aggregate, id);
  const timed: Timed = { ...context, deadline: context.deadline ?? parts.clock.now() + defaultDeadline };
  return parts.queue.run(stream, async () => {
    const command: Command<State, E> = { parts, aggregate, stream, context: timed, decide };
    const known = parts.cache.get(stream) as Folded<State> | undefined;
    let folded = known ?? (await readFolded(parts.events, parts.snapshots, aggregate, stream));
    let fresh = known === undefined;
    for (let conflicts = 0; conflicts <= conflictRetries; conflicts += 1) {
      const done = await attempt(command, folded, fresh);
      if (done !== 'moved') return done;
      parts.metrics.conflict?.(aggregate.entity);
      await pause(conflicts * (5 + Math.random() * 20));
      folded = await readOn(parts.events, aggregate, stream, folded);
      fresh = true;
    }
    throw new AppError('conflict', [], { retryAfter: 1 });
  });
}

interface Command<State, E extends AnyEvent> {
  parts: HandleParts;
  aggregate: Aggregate<State, E>;
  stream: string;
  context: Timed;
  decide: Decide<State, E>;
}

type Timed = CommandContext & { deadline: number };

async function attempt<State, E extends AnyEvent>(command: Command<State, E>, start: Folded<State>, fresh: boolean): Promise<Done<State, E> | 'moved'> {
  const { parts, aggregate, stream, context } = command;
  checkDeadline(parts.clock, context);
  let folded = start;
  let stand = await standing(command, folded);
  // An append finds out by itself that a remembered state is old.
  if (!fresh && (stand.outcome.kind !== 'events' || isDry())) {
    folded = await readOn(parts.events, aggregate, stream, start);
    if (folded !== start) stand = await standing(command, folded);
  }
  if (folded.erased) parts.cache.delete(stream);
  else parts.cache.set(stream, folded);
  const { seen, outcome } = stand;
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind === 'events') return isDry() ? pretend(command, seen, outcome.events) : append(command, folded, outcome.events);
  // Behind a command that records nothing, as behind one that does, its request may have other effects.
  await askPrecondition({ position: folded.position, types: aggregate.events.types, repeated: outcome.kind === 'repeated' });
  if (outcome.kind === 'repeated') return repeated(command, folded, outcome.commit);
  return { state: seen.state, events: [], revision: seen.revision, position: folded.position, repeated: false, types: aggregate.events.types };
}

interface Standing<State, E> {
  /** The fold with what this request would have recorded. */
  seen: Folded<State>;
  outcome: Outcome<E>;
}

/** What the command comes to on this fold. Events stand only where the request's precondition does. */
async function standing<State, E extends AnyEvent>(command: Command<State, E>, folded: Folded<State>): Promise<Standing<State, E>> {
  const seen = withImagined(command, folded);
  const outcome = decided(command, seen);
  if (outcome.kind !== 'events') return { seen, outcome };
  try {
    await askPrecondition({ position: folded.position, types: command.aggregate.events.types });
    return { seen, outcome };
  } catch (error) {
    return { seen, outcome: { kind: 'refused', error } };
  }
}

type Outcome<E> =
  | { kind: 'repeated'; commit: Commit }
  | { kind: 'refused'; error: unknown }
  | { kind: 'nothing'; events: readonly E[] }
  | { kind: 'events'; events: readonly E[] };

function decided<State, E extends AnyEvent>({ context, decide }: Command<State, E>, folded: Folded<State>): Outcome<E> {
  const commit = context.idem === undefined ? undefined : folded.commits.get(context.idem);
  if (commit !== undefined) return { kind: 'repeated', commit };
  try {
    const events = decide(folded.state);
    return events.length === 0 ? { kind: 'nothing', events } : { kind: 'events', events };
  } catch (error) {
    return { kind: 'refused', error };
  }
}

async function append<State, E extends AnyEvent>(command: Command<State, E>, folded: Folded<State>, decidedEvents: readonly E[]): Promise<Done<State, E> | 'moved'> {
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
  noteRecorded(position);
  parts.recorded(command.context.organization, position);
  const raws = fresh.map((event, index) => asRecorded(event, stream, last - BigInt(fresh.length - 1 - index), position));
  const after = foldMore(aggregate, folded, raws);
  parts.cache.set(stream, after);
  parts.snapshots.offer(aggregate, stream, folded.revision, after);
  parts.metrics.appended?.(aggregate.entity, raws.length);
  return outcomeOf(command, after, raws);
}

function outcomeOf<State, E extends AnyEvent>({ aggregate }: Command<State, E>, after: Folded<State>, raws: readonly RawEvent[]): Done<State, E> {
  return { state: after.state, events: raws.flatMap((raw) => read(aggregate, raw)), revision: after.revision, position: after.position, repeated: false, types: raws.map(({ type }) => type) };
}

/** What an append would have done. Nothing of it is remembered, nor waited for: it stands behind the end of the log. */
function pretend<State, E extends AnyEvent>(command: Command<State, E>, folded: Folded<State>, decidedEvents: readonly E[]): Done<State, E> {
  const { aggregate, stream } = command;
  const fresh = prepare(command, folded, decidedEvents);
  const raws = fresh.map((event, index) => asRecorded(event, stream, folded.revision + BigInt(index + 1), nextImagined() + BigInt(index)));
  imagine(raws);
  return outcomeOf(command, foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, raws), raws);
}

/** The fold with what this request would have recorded; the fold itself is shared with other requests. */
function withImagined<State, E extends AnyEvent>({ aggregate, stream }: Command<State, E>, folded: Folded<State>): Folded<State> {
  const events = imaginedEvents().filter((event) => event.stream === stream);
  return events.length === 0 ? folded : foldMore(aggregate, { ...folded, commits: new Map(folded.commits) }, events);
}

function prepare<State, E extends AnyEvent>({ parts, aggregate, stream, context }: Command<State, E>, folded: Folded<State>, events: readonly E[]): NewEvent[] {
  const metadata = stamp(context, parts.clock.now(), folded.lastTime);
  return events.map((event, index) => {
    const { type, data } = checkNew(aggregate.events, event);
    const id = context.idem === undefined ? parts.ids.uuid() : derivedUuid(stream, context.idem, String(index));
    return { id, type, data, metadata };
  });
}

/** The position of all events of one append is taken as the last one's: whoever waits, waits for the whole. */
function asRecorded(event: NewEvent, stream: string, revision: bigint, position: bigint): RawEvent {
  return { ...event, stream, revision, position, created: new Date(event.metadata.time) };
}

async function repeated<State, E extends AnyEvent>({ parts, aggregate, stream }: Command<State, E>, folded: Folded<State>, commit: Commit): Promise<Done<State, E>> {
  noteRecorded(commit.position);
  const raws = await readRange(parts.events, stream, commit.first, commit.last);
  return { state: folded.state, events: raws.flatMap((raw) => read(aggregate, raw)), revision: commit.last, position: commit.position, repeated: true, types: raws.map(({ type }) => type) };
}

function read<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, raw: RawEvent): Recorded<E>[] {
  const event: Recorded<EventOf<EventTable>> | null = readEvent(aggregate.events, raw);
  return event === null ? [] : [event as unknown as Recorded<E>];
}

function remaining(clock: Clock, { deadline }: Timed): number {
  return deadline - clock.now();
}

function checkDeadline(clock: Clock, context: Timed): void {
  if (remaining(clock, context) <= 0) throw new AppError('unavailable', [], { message: 'the deadline of the command has passed' });
}
