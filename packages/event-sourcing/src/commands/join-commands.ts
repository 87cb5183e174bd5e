import { type Folded, foldMore } from '../aggregates/folded.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { type Prepared, isOver, prepare, recordedAt } from './append.js';
import { type AnyCommand } from './command.js';
import { askPrecondition } from './work.js';

/** Commands of one append. */
const mostTogether = 50;
/** Approximate bytes of the events of one append behind which no further command joins it. The log takes a mebibyte. */
const mostBytes = 256 * 1024;
/** Of an event besides its payload. */
const perEvent = 1024;

/**
 * The first command, and those directly behind it that the same append can record. Each is decided on what the ones before it
 * record. A command that records nothing, or has to see the log first, ends the group, and is carried out by itself.
 */
export async function joinedBy(
  first: Prepared,
  behind: readonly AnyCommand[],
  folded: Folded,
): Promise<readonly [Prepared, ...Prepared[]]> {
  if (behind.length === 0) return [first];
  const others: Prepared[] = [];
  const keys = new Set([first.command.context.idem]);
  let last = first;
  // What is remembered of commands with a key is shared by all folds, and may tell only of what is recorded.
  let ahead: Folded = { ...folded, commits: new Map() };
  let bytes = bytesOf(first);
  for (const command of behind.slice(0, mostTogether - 1)) {
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
  last: Prepared,
): Promise<{ prepared: Prepared; ahead: Folded } | undefined> {
  const { aggregate, stream, work } = command;
  try {
    const ahead = foldMore(aggregate, before, recordedAt(stream, before.revision, last.events, before.position));
    const events = command.decide(ahead.state);
    if (events.length === 0) return undefined;
    await askPrecondition(work, { position: ahead.position, types: aggregate.events.types });
    return { prepared: prepare(command, ahead, events), ahead };
  } catch {
    // Its own turn tells it what is wrong.
    return undefined;
  }
}

function bytesOf({ events }: Prepared): number {
  return events.reduce((sum, { data }) => sum + perEvent + approximateBytes(data), 0);
}
