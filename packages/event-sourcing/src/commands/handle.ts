import { AppError } from '@scriptorium/contracts';
import { type Aggregate } from '../aggregates/aggregate.js';
import { type Folded, emptyFold, readFolded, readOn } from '../aggregates/folded.js';
import { type AnyEvent } from '../events/events.js';
import { streamOf } from '../events/streams.js';
import { type Outcomes, createBatchQueue } from '../process/queues.js';
import { pause } from '../process/time.js';
import {
  type AnyCommand,
  type AnyCommands,
  type AnyDone,
  type Command,
  type CommandOptions,
  type Decide,
  type Done,
  type HandleParts,
  type Made,
  type Making,
} from './command.js';
import {
  type Judged,
  append,
  appendDry,
  checkDeadline,
  isOver,
  judge,
  makingOf,
  prepare,
  readRepeated,
} from './command-steps.js';
import { joinedBy } from './join.js';
import { askPrecondition } from './work.js';

/** Streams that all writers of an organization share are moved by other replicas again and again. */
const conflictRetries = 8;
const defaultDeadline = 10_000;
/** Commands that wait for one stream. Further ones are refused. */
const commandsPerStream = 1000;
/** How long the commands of one append may be made, in ms: the first one waits for the last. */
const longestMaking = 100;

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
   * The command records nothing whatever the state: it does not wait for the commands before it, which can take long to
   * make what they record.
   */
  readonly isLook?: boolean;
}

/** Runs commands, see `handler`. */
export type Handle = <State, E extends AnyEvent>(
  aggregate: Aggregate<State, E>,
  id: string,
  decide: Decide<State, E> | Making<State, E, Made<E>>,
  options: CommandOptions,
) => Promise<Done<State, E>>;

/**
 * Runs one command on one stream: fold, decide, append with the expected revision. Commands of this process on the same
 * stream queue, and those that have come meanwhile are recorded by one append, each decided on what the ones before
 * record. The command is decided again on a fresh read when a cached state led to a refusal (of the decision or of the
 * precondition), to nothing, or when nothing is recorded anyway (a dry run). Conflicts with other processes are retried
 * eight times, then `AppError('conflict')`. A passed deadline or a server that does not answer is `unavailable`: the
 * command may have happened, a retry with the same `idem` finds out.
 *
 * A command that makes something first keeps its turn meanwhile, asks its precondition before it makes anything, and is
 * retried until its deadline: alone, since that takes less time than a batch, so that each process gets its turn.
 */
export function handler(parts: HandleParts): Handle {
  const queue = createBatchQueue(commandsPerStream, handleBatch);
  return <State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    decide: Decide<State, E> | Making<State, E, Made<E>>,
    { context, ...options }: CommandOptions,
  ) => {
    const stream = streamOf(parts.namespace, aggregate, id);
    const timed = { ...context, deadline: context.deadline ?? parts.clock.now() + defaultDeadline };
    const command = { ...options, parts, aggregate, stream, context: timed, decide } as Command<State, E>;
    const any = command as unknown as AnyCommand;
    return (options.isLook === true ? look(any) : queue.run(stream, any)) as Promise<Done<State, E>>;
  };
}

async function look(command: AnyCommand): Promise<AnyDone> {
  const [outcome] = await handleBatch([command]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
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
  let fresh = cached === undefined;
  const isMade = makingOf(first) !== undefined;
  for (let conflicts = 0; conflicts <= conflictRetries || isMade; conflicts += 1) {
    const done = await attempt([first, ...(isMade && conflicts > 0 ? [] : behind)], folded, fresh);
    if (done !== 'moved') return done;
    parts.metrics.conflict?.(aggregate.entity);
    if (!isMade) await pause(conflicts * (5 + Math.random() * 20));
    else if (isOver(parts.clock, context)) break;
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
  const end = performance.now() + longestMaking;
  let folded = start;
  let judged = await judge(command, folded);
  // An append notices by itself that a cached state is old.
  if (!fresh && (judged.outcome.kind !== 'events' || work.dry === true)) {
    folded = await readOn(parts.events, aggregate, stream, start);
    if (folded !== start) judged = await judge(command, folded);
  }
  if (folded.erased) parts.cache.delete(stream);
  // A look does not wait for a command that has recorded more by now.
  else if (command.isLook !== true || isNewer(folded, parts.cache.get(stream))) parts.cache.set(stream, folded);
  const { outcome } = judged;
  if (outcome.kind === 'events' && work.dry !== true) {
    const decided = prepare(command, folded, outcome.made);
    return append(behind.length === 0 ? [decided] : await joinedBy(decided, behind, { folded, end }), folded);
  }
  return [{ status: 'fulfilled', value: await withoutAppend(command, folded, judged) }];
}

function isNewer({ revision }: Folded, cached: Folded | undefined): boolean {
  return cached === undefined || revision > cached.revision;
}

/** What comes of a command that records nothing now. */
async function withoutAppend(command: AnyCommand, folded: Folded, { seen, outcome }: Judged): Promise<AnyDone> {
  const { aggregate, work } = command;
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind === 'events') return appendDry(command, seen, outcome.made);
  // A request may have other effects, also behind a command that records nothing.
  const { types } = aggregate.events;
  await askPrecondition(work, { position: folded.position, types, repeated: outcome.kind === 'repeated' });
  if (outcome.kind === 'repeated') return readRepeated(command, folded, outcome.commit);
  const { state, revision } = seen;
  return { state, events: [], revision, position: folded.position, repeated: false, types, made: outcome.made };
}
