import { AppError } from '@scriptorium/contracts';
import { type Aggregate, streamOf } from '../aggregates/aggregate.js';
import { type Commit, type Folded, emptyFold } from '../aggregates/folded.js';
import { readFolded, readOn } from '../aggregates/stream-reader.js';
import { type AnyEvent } from '../events/events.js';
import { type CommandContext } from '../events/metadata.js';
import { type Outcomes } from '../process/queues.js';
import { pause } from '../process/time.js';
import { append, appendDry, checkDeadline, prepare, readRepeated, withDryEvents } from './append.js';
import {
  type AnyCommand,
  type AnyCommands,
  type AnyDone,
  type Command,
  type Decide,
  type Done,
  type HandleParts,
} from './command.js';
import { joinedBy } from './join-commands.js';
import { type Work, askPrecondition } from './work.js';

export interface CommandOptions {
  work: Work;
  /** See `HandleOptions`. */
  isNew?: boolean | undefined;
  fromMemory?: boolean | undefined;
}

/** Streams that all writers of an organization share are moved by other replicas again and again. */
const conflictRetries = 8;
const defaultDeadline = 10_000;

/**
 * Runs one command on one stream: fold, decide, append with the expected revision. Commands of this process on the same
 * stream queue, and those that have come meanwhile are recorded by one append, each decided on what the ones before
 * record. The command is decided again on a fresh read when a cached state led to a refusal (of the decision or of the
 * precondition), to nothing, or when nothing is recorded anyway (a dry run), unless memory is enough. Conflicts with
 * other processes are retried eight times, then `AppError('conflict')`. A passed deadline or a server that does not
 * answer is `unavailable`: the command may have happened, a retry with the same `idem` finds out.
 */
export function handleCommand<State, E extends AnyEvent>(
  parts: HandleParts,
  aggregate: Aggregate<State, E>,
  id: string,
  context: CommandContext,
  decide: Decide<State, E>,
  options: CommandOptions,
): Promise<Done<State, E>> {
  const stream = streamOf(parts.namespace, aggregate, id);
  const timed = { ...context, deadline: context.deadline ?? parts.clock.now() + defaultDeadline };
  const command: Command<State, E> = { parts, aggregate, stream, context: timed, decide, ...options };
  return parts.queue.run(stream, command as unknown as AnyCommand, handleBatch) as Promise<Done<State, E>>;
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
