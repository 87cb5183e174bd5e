import { type Folded, foldMore } from '../aggregates/folded.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { pause } from '../process/time.js';
import { type AnyCommand, type DecidedCommand } from './command.js';
import { isOver, judge, makingOf, prepare, recordedAt } from './command-steps.js';

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
  { folded, end }: { folded: Folded; end: number },
): Promise<readonly [DecidedCommand, ...DecidedCommand[]]> {
  const making = makingOf(first.command);
  if (making?.isShort === false) return [first];
  const others: DecidedCommand[] = [];
  const keys = new Set([first.command.context.idem]);
  let last = first;
  // The commits by key are shared by all folds, so they may name recorded events only.
  let ahead: Folded = { ...folded, commits: new Map() };
  let bytes = bytesOf(first);
  for (const command of behind.slice(0, mostInBatch - 1)) {
    const { idem } = command.context;
    if ((idem !== undefined && (keys.has(idem) || folded.commits.has(idem))) || !mayJoin(command, making)) break;
    const next = await joining(command, ahead, { last, end });
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

/**
 * Whether it can be judged by a state that is not recorded yet. What makes something joins only what makes something,
 * too: `first`.
 */
function mayJoin(command: AnyCommand, first: ReturnType<typeof makingOf>): boolean {
  const { parts, context, work } = command;
  const making = makingOf(command);
  const looksAtStream = work.precondition !== undefined && work.ignoresStream !== true && !work.met;
  const isLike = making === undefined ? first === undefined : first !== undefined && making.isShort;
  return work.dry !== true && isLike && !looksAtStream && !isOver(parts.clock, context);
}

/**
 * The command as it is behind `last`, and the state that it was decided on. Nothing when it is not made before `end`,
 * ms: then it is made again when its turn comes.
 */
async function joining(
  command: AnyCommand,
  before: Folded,
  { last, end }: { last: DecidedCommand; end: number },
): Promise<{ prepared: DecidedCommand; ahead: Folded } | undefined> {
  const { aggregate, stream } = command;
  try {
    const ahead = foldMore(aggregate, before, recordedAt(stream, before.revision, last.events, before.position));
    const judging = judge(command, ahead);
    const left = end - performance.now();
    const judged = makingOf(command) === undefined ? await judging : await Promise.race([judging, pause(left)]);
    return judged?.outcome.kind === 'events'
      ? { prepared: prepare(command, ahead, judged.outcome.made), ahead }
      : undefined;
  } catch {
    // The command fails with its own error when its turn comes.
    return undefined;
  }
}

function bytesOf({ events }: DecidedCommand): number {
  return events.reduce((sum, { data }) => sum + perEvent + approximateBytes(data), 0);
}
