import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from '../aggregates/aggregate.js';
import { type Commit, type Folded, emptyFold, foldMore, readFolded, readOn } from '../aggregates/folded.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { type AnyEvent } from '../events/events.js';
import { streamOf } from '../events/streams.js';
import { type Outcomes } from '../process/queues.js';
import { pause } from '../process/time.js';
import {
  type AnyCommand,
  type AnyCommands,
  type AnyDone,
  type Command,
  type CommandOptions,
  type Decide,
  type DecidedCommand,
  type Done,
  type HandleParts,
  append,
  appendDry,
  checkDeadline,
  isOver,
  prepare,
  readRepeated,
  recordedAt,
  withDryEvents,
} from './command.js';
import { askPrecondition } from './work.js';

/** Streams that all writers of an organization share are moved by other replicas again and again. */
const conflictRetries = 8;
const defaultDeadline = 10_000;
/** Commands of one append. */
const mostInBatch = 50;
/** Approximate bytes of the events of one append behind which no further command joins it. The log takes a mebibyte. */
const mostBytes = 256 * 1024;
/** Of an event besides its payload. */
const perEvent = 1024;

/** What a command of a `StoreScope` may be told. */
export interface HandleOptions {
  /** Whether to wait until the projections of the service show what was recorded. */
  readonly wait?: boolean;
  /**
   * The id was made for this command, by `idFor` for example: without an idempotency key nobody can have used it
   * before, and the log is not asked for a stream that cannot be there.
   */
  readonly isNew?: boolean;
  /**
   * The cached state of the stream is enough, although another process may have moved it since: for decisions whose
   * outcome is recorded by a later command, which notices that.
   */
  readonly fromMemory?: boolean;
}

/** Runs commands, see `handler`. */
export type Handle = <State, E extends AnyEvent>(
  aggregate: Aggregate<State, E>,
  id: string,
  decide: Decide<State, E>,
  options: CommandOptions,
) => Promise<Done<State, E>>;

/**
 * Runs one command on one stream: fold, decide, append with the expected revision. Commands of this process on the same
 * stream queue, and those that have come meanwhile are recorded by one append, each decided on what the ones before
 * record. The command is decided again on a fresh read when a cached state led to a refusal (of the decision or of the
 * precondition), to nothing, or when nothing is recorded anyway (a dry run), unless memory is enough. Conflicts with
 * other processes are retried eight times, then `AppError('conflict')`. A passed deadline or a server that does not
 * answer is `unavailable`: the command may have happened, a retry with the same `idem` finds out.
 */
export function handler(parts: HandleParts): Handle {
  return <State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    decide: Decide<State, E>,
    { context, ...options }: CommandOptions,
  ) => {
    const stream = streamOf(parts.namespace, aggregate, id);
    const timed = { ...context, deadline: context.deadline ?? parts.clock.now() + defaultDeadline };
    const command: Command<State, E> = { ...options, parts, aggregate, stream, context: timed, decide };
    return parts.queue.run(stream, command as unknown as AnyCommand, handleBatch) as Promise<Done<State, E>>;
  };
}

/**
 * Carries out the first of the commands that wait for a stream, and with it those behind it that can be recorded by the
 * same append.
 */
async function handleBatch([first, ...behind]: AnyCommands): Promise<Outcomes<AnyDone>> {
  const { parts, aggregate, stream, context } = first;
  const cached = parts.cache.get(stream);
  const unused = first.isNew === true && context.idem === undefined;
  let folded =
    cached ??
    (unused ? emptyFold(aggregate.initial) : await readFolded(parts.events, parts.snapshots, aggregate, stream));
  let fresh = cached === undefined || first.fromMemory === true;
  for (let conflicts = 0; conflicts <= conflictRetries; conflicts += 1) {
    const done = await attempt([first, ...behind], folded, fresh);
    if (done !== 'moved') return done;
    parts.metrics.conflict?.(aggregate.entity);
    await pause(conflicts * (5 + Math.random() * 20));
    folded = await readOn(parts.events, aggregate, stream, folded);
    fresh = true;
  }
  throw new AppError('conflict', [], { retryAfter: 1 });
}

async function attempt(
  [command, ...behind]: AnyCommands,
  start: Folded,
  fresh: boolean,
): Promise<Outcomes<AnyDone> | 'moved'> {
  const { parts, aggregate, stream, context, work } = command;
  checkDeadline(parts.clock, context);
  let folded = start;
  let judged = await judge(command, folded);
  // An append notices by itself that a cached state is old.
  if (!fresh && (judged.outcome.kind !== 'events' || work.dry === true)) {
    folded = await readOn(parts.events, aggregate, stream, start);
    if (folded !== start) judged = await judge(command, folded);
  }
  if (folded.erased) parts.cache.delete(stream);
  else parts.cache.set(stream, folded);
  const { outcome } = judged;
  if (outcome.kind === 'events' && work.dry !== true)
    return append(await joinedBy(prepare(command, folded, outcome.events), behind, folded), folded);
  return [{ status: 'fulfilled', value: await withoutAppend(command, folded, judged) }];
}

/** What comes of a command that records nothing now. */
async function withoutAppend(command: AnyCommand, folded: Folded, { seen, outcome }: Judged): Promise<AnyDone> {
  const { aggregate, work } = command;
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind === 'events') return appendDry(command, seen, outcome.events);
  // A request may have other effects, also behind a command that records nothing.
  const { types } = aggregate.events;
  await askPrecondition(work, { position: folded.position, types, repeated: outcome.kind === 'repeated' });
  if (outcome.kind === 'repeated') return readRepeated(command, folded, outcome.commit);
  return { state: seen.state, events: [], revision: seen.revision, position: folded.position, repeated: false, types };
}

interface Judged {
  /** The fold with the events of this dry run. */
  seen: Folded;
  outcome: Outcome;
}

type Outcome =
  | { kind: 'repeated'; commit: Commit }
  | { kind: 'refused'; error: unknown }
  | { kind: 'nothing' }
  | { kind: 'events'; events: readonly AnyEvent[] };

/** What the command comes to on this fold. Events count only where the precondition of the request holds. */
async function judge(command: AnyCommand, folded: Folded): Promise<Judged> {
  const seen = withDryEvents(command, folded);
  const outcome = decide(command, seen);
  if (outcome.kind !== 'events') return { seen, outcome };
  try {
    await askPrecondition(command.work, { position: folded.position, types: command.aggregate.events.types });
    return { seen, outcome };
  } catch (error) {
    return { seen, outcome: { kind: 'refused', error } };
  }
}

function decide(command: AnyCommand, folded: Folded): Outcome {
  const { idem } = command.context;
  const commit = idem === undefined ? undefined : folded.commits.get(idem);
  if (commit !== undefined) return { kind: 'repeated', commit };
  try {
    const events = command.decide(folded.state);
    return events.length === 0 ? { kind: 'nothing' } : { kind: 'events', events };
  } catch (error) {
    return { kind: 'refused', error };
  }
}

/**
 * The first command, and those directly behind it that the same append can record. Each is decided on what the ones
 * before it record. A command that records nothing, or has to see the log first, ends the batch, and is carried out by
 * itself.
 */
async function joinedBy(
  first: DecidedCommand,
  behind: readonly AnyCommand[],
  folded: Folded,
): Promise<readonly [DecidedCommand, ...DecidedCommand[]]> {
  if (behind.length === 0) return [first];
  const others: DecidedCommand[] = [];
  const keys = new Set([first.command.context.idem]);
  let last = first;
  // The commits by key are shared by all folds, so they may name recorded events only.
  let ahead: Folded = { ...folded, commits: new Map() };
  let bytes = bytesOf(first);
  for (const command of behind.slice(0, mostInBatch - 1)) {
    const { idem } = command.context;
    if ((idem !== undefined && (keys.has(idem) || folded.commits.has(idem))) || !mayJoin(command)) break;
    const next = await joining(command, ahead, last);
    if (next === undefined) break;
    bytes += bytesOf(next.prepared);
    if (bytes > mostBytes) break;
    keys.add(idem);
    others.push(next.prepared);
    last = next.prepared;
    ahead = next.ahead;
  }
  return [first, ...others];
}

/** Whether it can be judged by a state that is not recorded yet. */
function mayJoin({ parts, context, work }: AnyCommand): boolean {
  const looksAtStream = work.precondition !== undefined && work.ignoresStream !== true && !work.met;
  return work.dry !== true && !looksAtStream && !isOver(parts.clock, context);
}

/** The command as it is behind `last`, and the state that it was decided on. */
async function joining(
  command: AnyCommand,
  before: Folded,
  last: DecidedCommand,
): Promise<{ prepared: DecidedCommand; ahead: Folded } | undefined> {
  const { aggregate, stream } = command;
  try {
    const ahead = foldMore(aggregate, before, recordedAt(stream, before.revision, last.events, before.position));
    const { outcome } = await judge(command, ahead);
    return outcome.kind === 'events' ? { prepared: prepare(command, ahead, outcome.events), ahead } : undefined;
  } catch {
    // The command fails with its own error when its turn comes.
    return undefined;
  }
}

function bytesOf({ events }: DecidedCommand): number {
  return events.reduce((sum, { data }) => sum + perEvent + approximateBytes(data), 0);
}
