import { AppError, invalid } from '@scriptorium/contracts';
import type { RunView } from '@scriptorium/event-sourcing';
import type { Call } from '@scriptorium/platform';
import { causesKeptMs, countCauses, outbox, positionsOf } from '../outbox/index.js';
import type { ReplayReceiver } from './receiver.queries.js';
import { replayRun } from './replay.run.js';
import { latestReplay, setLatestReplay, type LatestReplay } from './replays.operational.js';

/** What happens in an organization in the time of one replay, at most. */
const mostEvents = 100_000;
/** How long a request may take from when it is the latest replay until its run is there, ms. */
const beginsWithinMs = 60_000;
const openStatuses: ReadonlySet<RunView['status']> = new Set(['pending', 'running', 'cancelling']);

/** What is asked for. `since`: when the receiver was created, ISO 8601. */
export interface WantedReplay {
  receiver: ReplayReceiver;
  since: string;
  from: string;
  to: string | undefined;
  types: readonly string[];
}

/**
 * Begins a replay.
 * @throws AppError `invalid_request` naming the field, `limit_reached` for too long a time, `conflict` while another
 * one of this receiver goes on
 */
export async function startReplay(call: Call, wanted: WantedReplay): Promise<RunView> {
  const { receiver, types } = wanted;
  const { organization, queue } = receiver;
  const period = periodOf(wanted, call.now());
  if ((await countCauses(call.store, organization, { ...period, most: mostEvents + 1 })) > mostEvents)
    throw new AppError('limit_reached', [], {
      message: `More than ${mostEvents} events happened in this time: begin with a part of it`,
    });
  const id = call.idFor('replay');
  const before = await latestReplay(call, queue);
  if (before?.run !== id) {
    if (before !== null && (await isOpen(call, before))) throw replayInProgress(before.run);
    if (!(await setLatestReplay(call, { _id: queue, run: id, at: call.now() }, before))) throw replayInProgress();
  }
  const known = await call.store.findRun(id);
  if (known !== null) return known;
  const of =
    'webhook' in receiver
      ? { kind: 'webhook' as const, id: receiver.webhook._id }
      : { kind: 'installation' as const, id: receiver.installation.id };
  const written = Number(await call.store.written(outbox));
  const { after, through } = await positionsOf(call.store, { ...period, written });
  const input = { receiver: of, ...period, after, through, types: [...types] };
  return call.store.in(organization).requestRun(replayRun, { id, input });
}

/** The latest replay of a receiver, by its queue; `null` when there is none, or it ended a week ago. */
export async function findReplay(call: Call, queue: string): Promise<RunView | null> {
  const latest = await latestReplay(call, queue);
  if (latest === null) return null;
  const run = await call.store.findRun(latest.run);
  // What is asked of the state before a replay begins, such as `If-Match`, is about the one before.
  return run ?? (latest.before === undefined ? null : call.store.findRun(latest.before));
}

/** Cancels the replay of a receiver, by its queue. Whether one went on. */
export async function cancelReplay(call: Call, queue: string): Promise<boolean> {
  const run = await findReplay(call, queue);
  if (run === null || !openStatuses.has(run.status) || run.status === 'cancelling') return false;
  await call.store.in(run.organization).cancelRun(run.id);
  return true;
}

function periodOf({ since, from, to }: WantedReplay, now: number): { from: string; to: string } {
  const [begins, ends] = [Date.parse(from), to === undefined ? now : Date.parse(to)];
  if (begins < now - causesKeptMs) throw invalid('body.from', 'Events are kept for 30 days');
  if (begins >= now) throw invalid('body.from', 'Must be in the past');
  if (ends <= begins) throw invalid('body.to', 'Must be after `from`');
  return {
    from: new Date(Math.max(begins, Date.parse(since))).toISOString(),
    to: new Date(Math.min(ends, now)).toISOString(),
  };
}

async function isOpen(call: Call, { run, at }: LatestReplay): Promise<boolean> {
  const found = await call.store.findRun(run);
  return found === null ? call.now() - at < beginsWithinMs : openStatuses.has(found.status);
}

function replayInProgress(run?: string): AppError {
  const named = run === undefined ? '' : ` ${run}`;
  return new AppError('conflict', [], { message: `The replay${named} goes on: wait for its end, or cancel it` });
}
