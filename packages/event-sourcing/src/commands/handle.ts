import { AppError } from '@scriptorium/contracts';
import { type Aggregate, streamOf } from '../aggregates/aggregate.js';
import { type Commit, type Folded, emptyFold } from '../aggregates/folded.js';
import { readFolded, readOn } from '../aggregates/stream-reader.js';
import { type AnyEvent } from '../events/events.js';
import { type CommandContext } from '../events/metadata.js';
import { pause } from '../shared/time.js';
import { append, appendDry, checkDeadline, readRepeated, withDryEvents } from './append.js';
import { type Command, type Decide, type Done, type HandleParts } from './command.js';
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
 * stream queue. The command is decided again on a fresh read when a cached state led to a refusal (of the decision or of the
 * precondition), to nothing, or when nothing is recorded anyway (a dry run), unless memory is enough. Conflicts with other processes are retried eight
 * times, then `AppError('conflict')`. A passed deadline or a server that does not answer is `unavailable`: the command may
 * have happened, a retry with the same `idem` finds out.
 */
export function handleCommand<State, E extends AnyEvent>(
  parts: HandleParts,
  aggregate: Aggregate<State, E>,
  id: string,
  context: CommandContext,
  decide: Decide<State, E>,
  { work, isNew, fromMemory }: CommandOptions,
): Promise<Done<State, E>> {
  const stream = streamOf(parts.namespace, aggregate, id);
  const timed = { ...context, deadline: context.deadline ?? parts.clock.now() + defaultDeadline };
  return parts.queue.run(stream, async () => {
    const command: Command<State, E> = { parts, aggregate, stream, context: timed, decide, work };
    const cached = parts.cache.get(stream) as Folded<State> | undefined;
    const unused = isNew === true && context.idem === undefined;
    let folded =
      cached ??
      (unused ? emptyFold(aggregate.initial) : await readFolded(parts.events, parts.snapshots, aggregate, stream));
    let fresh = cached === undefined || fromMemory === true;
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

async function attempt<State, E extends AnyEvent>(
  command: Command<State, E>,
  start: Folded<State>,
  fresh: boolean,
): Promise<Done<State, E> | 'moved'> {
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
  const { seen, outcome } = judged;
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind === 'events')
    return work.dry === true ? appendDry(command, seen, outcome.events) : append(command, folded, outcome.events);
  // A request may have other effects, also behind a command that records nothing.
  const { types } = aggregate.events;
  await askPrecondition(work, { position: folded.position, types, repeated: outcome.kind === 'repeated' });
  if (outcome.kind === 'repeated') return readRepeated(command, folded, outcome.commit);
  return { state: seen.state, events: [], revision: seen.revision, position: folded.position, repeated: false, types };
}

interface Judged<State, E> {
  /** The fold with the events of this dry run. */
  seen: Folded<State>;
  outcome: Outcome<E>;
}

type Outcome<E> =
  | { kind: 'repeated'; commit: Commit }
  | { kind: 'refused'; error: unknown }
  | { kind: 'nothing' }
  | { kind: 'events'; events: readonly E[] };

/** What the command comes to on this fold. Events count only where the precondition of the request holds. */
async function judge<State, E extends AnyEvent>(
  command: Command<State, E>,
  folded: Folded<State>,
): Promise<Judged<State, E>> {
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

function decide<State, E extends AnyEvent>(command: Command<State, E>, folded: Folded<State>): Outcome<E> {
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
