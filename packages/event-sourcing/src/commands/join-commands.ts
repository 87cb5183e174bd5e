import { type Folded, foldMore } from '../aggregates/folded.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { type DecidedCommand, isOver, prepare, recordedAt } from './append.js';
import { type AnyCommand } from './command.js';
import { askPrecondition } from './work.js';

/** Commands of one append. */
const mostInBatch = 50;
/** Approximate bytes of the events of one append behind which no further command joins it. The log takes a mebibyte. */
const mostBytes = 256 * 1024;
/** Of an event besides its payload. */
const perEvent = 1024;

/**
 * The first command, and those directly behind it that the same append can record. Each is decided on what the ones
 * before it record. A command that records nothing, or has to see the log first, ends the batch, and is carried out by
 * itself.
 */
export async function joinedBy(
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
  const { aggregate, stream, work } = command;
  try {
    const ahead = foldMore(aggregate, before, recordedAt(stream, before.revision, last.events, before.position));
    const events = command.decide(ahead.state);
    if (events.length === 0) return undefined;
    await askPrecondition(work, { position: ahead.position, types: aggregate.events.types });
    return { prepared: prepare(command, ahead, events), ahead };
  } catch {
    // The command fails with its own error when its turn comes.
    return undefined;
  }
}

function bytesOf({ events }: DecidedCommand): number {
  return events.reduce((sum, { data }) => sum + perEvent + approximateBytes(data), 0);
}
