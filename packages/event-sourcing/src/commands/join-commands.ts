import { type Folded, foldMore } from '../aggregates/folded.js';
import { approximateBytes } from '../shared/approximate-bytes.js';
import { type Prepared, isOver, prepare, recordedAt } from './append.js';
import { type AnyCommand } from './command.js';
import { askPrecondition } from './work.js';

/** Commands of one append. */
const mostTogether = 50;
/** Approximate bytes of the payloads of one append behind which no further command joins it. The log takes a mebibyte. */
const mostBytes = 256 * 1024;

/**
 * The first command, and those directly behind it that the same append can record: each is decided on what the ones before it record. One that
 * comes to anything but events, or has to see the log first, ends the group, and is carried out by itself.
 */
export async function joinedBy(
  first: Prepared,
  behind: readonly AnyCommand[],
  folded: Folded,
): Promise<readonly [Prepared, ...Prepared[]]> {
  const others: Prepared[] = [];
  const keys = new Set([first.command.context.idem]);
  let last = first;
  // What is remembered of commands with a key is shared by all folds, and may tell only of what is recorded.
  let ahead: Folded = { ...folded, commits: new Map() };
  let bytes = bytesOf(first);
  for (const command of behind.slice(0, mostTogether - 1)) {
    const { idem } = command.context;
    if ((idem !== undefined && (keys.has(idem) || folded.commits.has(idem))) || !mayJoin(command)) break;
    ahead = foldMore(
      command.aggregate,
      ahead,
      recordedAt(command.stream, ahead.revision, last.events, folded.position),
    );
    const next = await prepared(command, ahead);
    bytes += next === undefined ? 0 : bytesOf(next);
    if (next === undefined || bytes > mostBytes) break;
    keys.add(idem);
    others.push(next);
    last = next;
  }
  return [first, ...others];
}

/** Whether it can be judged by a state that is not recorded yet. */
function mayJoin({ parts, context, work }: AnyCommand): boolean {
  const looksAtStream = work.precondition !== undefined && work.ofRequest !== true && !work.met;
  return work.dry !== true && !looksAtStream && !isOver(parts.clock, context);
}

async function prepared(command: AnyCommand, ahead: Folded): Promise<Prepared | undefined> {
  try {
    const events = command.decide(ahead.state);
    if (events.length === 0) return undefined;
    await askPrecondition(command.work, { position: ahead.position, types: command.aggregate.events.types });
    return prepare(command, ahead, events);
  } catch {
    // Its own turn tells it what is wrong.
    return undefined;
  }
}

function bytesOf({ events }: Prepared): number {
  return events.reduce((sum, { data }) => sum + approximateBytes(data), 0);
}
