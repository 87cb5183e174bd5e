import { type Checkpoints } from '../leases/checkpoints.js';
import { type Consumers, type HeldLease } from '../leases/consumers.js';
import { type Batch, type EventSource } from '../events/event-source.js';
import { type RawEvent } from '../events/events.js';
import { describe } from '../process/observe.js';
import { FellBehind, type LiveFeed } from '../events/live-feed.js';
import { Interrupted, type Reacting, type ReactionParts, reactTo, retryStream, type Reactor } from './reactor.js';
import { entityPrefix } from '../events/streams.js';
import { type Task } from '../leases/tasks.js';
import { backOff, pause } from '../process/time.js';
import { type Window, createWindow } from './window.js';

export interface ReactorParts extends ReactionParts {
  namespace: string;
  service: string;
  owner: string;
  consumers: Consumers;
  checkpoints: Checkpoints;
  feed: LiveFeed;
}

const [inFlight, sideBySide] = [256, 8];
const batchSize = 128;
const checkpointEvery = 200;
const lookForRetries = 1000;
const lookForLease = 100;

interface Run extends Reacting {
  parts: ReactorParts;
  lease: HeldLease;
  abort: AbortController;
  trouble: string | undefined;
}

/**
 * A reactor as a task. It reads the log from its checkpoint, and processes several streams at the same time, each in
 * order.
 */
export function reactorTask(parts: ReactorParts, reactor: Reactor): Task {
  return {
    name: reactor.consumer,
    run(lease, holds) {
      const abort = new AbortController();
      const run: Run = {
        parts,
        reactor,
        lease,
        holds,
        abort,
        signal: abort.signal,
        blocked: new Set(),
        trouble: undefined,
      };
      const finished = keepReacting(run);
      return {
        trouble: () => run.trouble,
        async stop() {
          abort.abort();
          await finished;
        },
      };
    },
  };
}

/**
 * Ends only when it is stopped. It does not end when the lease is unsure for a moment: if the lease became sure again
 * before anybody noticed, nobody would start the reactor again.
 */
async function keepReacting(run: Run): Promise<void> {
  for (let failures = 0; !run.signal.aborted; failures += 1) {
    if (!run.holds()) {
      await pause(lookForLease, run.signal);
      continue;
    }
    try {
      await session(run, () => (failures = 0));
    } catch (error) {
      if (error instanceof Interrupted || run.signal.aborted) continue;
      run.trouble = describe(error);
      run.parts.logger.warn({ reactor: run.reactor.name, error: run.trouble }, 'a reactor failed and starts again');
      await pause(backOff(failures), run.signal);
    }
  }
}

/** Reads one subscription until it breaks. The next session begins at the checkpoint. */
async function session(run: Run, progressed: () => void): Promise<void> {
  const { parts, reactor, signal } = run;
  const entry = (await parts.consumers.read([reactor.consumer])).get(reactor.consumer);
  if (entry === undefined) throw new Error(`${reactor.consumer} was never declared`);
  run.blocked = await parts.parking.blocked(reactor.consumer);
  const prefixes = reactor.entities.map((entity) => entityPrefix(parts.namespace, parts.service, entity));
  const reading: Reading = { prefixes, at: entry.position, isShared: false, source: undefined };
  const window = createWindow(inFlight, sideBySide);
  const ended = new AbortController();
  const stop = (): void => void reading.source?.stop();
  signal.addEventListener('abort', stop, { once: true });
  const beside = Promise.all([
    keepCheckpoint(run, window, entry.position, ended.signal),
    keepRetrying(run, window, ended.signal),
  ]);
  try {
    await feed(run, reading, window, progressed);
  } finally {
    signal.removeEventListener('abort', stop);
    ended.abort();
    await reading.source?.stop();
    await window.idle();
    await beside;
  }
}

/**
 * Where a reactor reads: from its own subscription until it has caught up, then from the one that all reactors share.
 */
interface Reading {
  readonly prefixes: readonly string[];
  /** All events up to here have been given to the window. */
  at: bigint;
  isShared: boolean;
  source: EventSource | undefined;
}

async function feed(run: Run, reading: Reading, window: Window, progressed: () => void): Promise<void> {
  const concerns = ({ type, stream, position }: RawEvent): boolean =>
    position > reading.at &&
    run.reactor.types.has(type) &&
    reading.prefixes.some((prefix) => stream.startsWith(prefix));
  while (!run.signal.aborted && run.holds()) {
    const batch = await next(run, reading);
    if (batch === undefined) continue;
    for (const event of batch.events)
      if (concerns(event)) await window.add(event.stream, event.position, () => reactTo(run, event));
    if (batch.position !== undefined && batch.position > reading.at) {
      reading.at = batch.position;
      window.pass(batch.position);
    }
    run.trouble = undefined;
    progressed();
    if (batch.caughtUp && !reading.isShared) await joinFeed(run, reading);
  }
}

async function next({ parts, signal }: Run, reading: Reading): Promise<Batch | undefined> {
  reading.source ??= parts.events.subscribe(reading.prefixes, reading.at);
  if (signal.aborted) return undefined;
  try {
    return await reading.source.next(batchSize, 0);
  } catch (error) {
    if (!(error instanceof FellBehind)) throw error;
    reading.source = undefined;
    reading.isShared = false;
    return undefined;
  }
}

async function joinFeed({ parts }: Run, reading: Reading): Promise<void> {
  const shared = parts.feed.join(reading.prefixes, reading.at);
  if (shared === undefined) return;
  const own = reading.source;
  reading.source = shared;
  reading.isShared = true;
  await own?.stop();
}

/**
 * Moves the checkpoint up to the first unfinished event. If a checkpoint is lost, commands recognise the repeated
 * events.
 */
async function keepCheckpoint({ parts, lease }: Run, window: Window, start: bigint, ended: AbortSignal): Promise<void> {
  let written = start;
  for (;;) {
    const last = ended.aborted;
    const at = window.done();
    if (at > written) parts.checkpoints.note([{ lease, at }]);
    written = at;
    if (last) {
      await parts.checkpoints.flush([{ lease, at }]);
      return;
    }
    await pause(checkpointEvery, ended);
    while (window.done() <= written && !ended.aborted) await window.change(ended);
  }
}

async function keepRetrying(run: Run, window: Window, ended: AbortSignal): Promise<void> {
  const { parts, reactor } = run;
  while (!ended.aborted) {
    if (run.blocked.size > 0) {
      const asked = await parts.parking.asked(reactor.consumer).catch(() => new Set<string>());
      // In the queue of the stream, so that no other event of it is processed at the same time. A failure is recorded
      // in the parked event.
      await Promise.all(
        [...asked].map((stream) => window.behind(stream, () => retryStream(run, stream)).catch(() => undefined)),
      );
    }
    // Streams are blocked by what happens in the window alone.
    if (run.blocked.size === 0) await window.change(ended);
    await pause(lookForRetries, ended);
  }
}
