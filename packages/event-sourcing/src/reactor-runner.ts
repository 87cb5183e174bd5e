import { type Consumers, type Grip } from './consumers.js';
import { type EventSource } from './event-source.js';
import { type RawEvent } from './events.js';
import { describe } from './observe.js';
import { Interrupted, type Reacting, type ReactionParts, reactTo, retryStream } from './reaction.js';
import { type Reactor } from './reactor.js';
import { entityPrefix } from './streams.js';
import { type Task } from './tasks.js';
import { backOff, pause } from './time.js';
import { type Window, createWindow } from './window.js';

export interface ReactorParts extends ReactionParts {
  namespace: string;
  service: string;
  owner: string;
  consumers: Consumers;
}

const [inFlight, sideBySide] = [256, 8];
const batchSize = 128;
const checkpointEvery = 200;
const lookForRetries = 1000;
const lookForLease = 100;

interface Run extends Reacting {
  parts: ReactorParts;
  grip: Grip;
  abort: AbortController;
  trouble: string | undefined;
}

/** A reactor as a task: reads the log from its checkpoint, several streams side by side, each in order. */
export function reactorTask(parts: ReactorParts, reactor: Reactor): Task {
  return {
    name: reactor.consumer,
    run(grip, holds) {
      const abort = new AbortController();
      const run: Run = { parts, reactor, grip, holds, abort, signal: abort.signal, blocked: new Set(), trouble: undefined };
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

/** Ends only when it is stopped: a lease that was in doubt for a moment and was kept starts no task again. */
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
      run.parts.logger.warn({ reactor: run.reactor.name, error: run.trouble }, 'a reactor pauses');
      await pause(backOff(failures), run.signal);
    }
  }
}

/** One subscription's life. Whatever breaks, the next session begins at the checkpoint. */
async function session(run: Run, progressed: () => void): Promise<void> {
  const { parts, reactor, signal } = run;
  const standing = (await parts.consumers.read([reactor.consumer])).get(reactor.consumer);
  if (standing === undefined) throw new Error(`${reactor.consumer} was never declared`);
  run.blocked = await parts.parking.blocked(reactor.consumer);
  const prefixes = reactor.entities.map((entity) => entityPrefix(parts.namespace, parts.service, entity));
  const source = parts.events.subscribe(prefixes, standing.position);
  const window = createWindow(inFlight, sideBySide);
  const ended = new AbortController();
  const stop = (): void => void source.stop();
  signal.addEventListener('abort', stop, { once: true });
  const beside = Promise.all([keepCheckpoint(run, window, standing.position, ended.signal), keepRetrying(run, window, ended.signal)]);
  try {
    await feed(run, source, window, prefixes, progressed);
  } finally {
    signal.removeEventListener('abort', stop);
    ended.abort();
    await source.stop();
    await window.idle();
    await beside;
  }
}

async function feed(run: Run, source: EventSource, window: Window, prefixes: readonly string[], progressed: () => void): Promise<void> {
  const concerns = ({ type, stream }: RawEvent): boolean => run.reactor.types.has(type) && prefixes.some((prefix) => stream.startsWith(prefix));
  while (!run.signal.aborted && run.holds()) {
    const { events, position } = await source.next(batchSize, 0);
    for (const event of events) {
      if (concerns(event)) await window.add(event.stream, event.position, () => reactTo(run, event));
    }
    if (position !== undefined) window.pass(position);
    run.trouble = undefined;
    progressed();
  }
}

/** Checkpoints follow what is finished without a gap. A lost one means a repetition, which commands recognise. */
async function keepCheckpoint({ parts, grip }: Run, window: Window, start: bigint, ended: AbortSignal): Promise<void> {
  let written = start;
  for (let last = false; !last; ) {
    last = ended.aborted;
    const done = window.done();
    if (done > written) {
      await parts.consumers.checkpoint([grip], parts.owner, done).then(
        () => (written = done),
        (error: unknown) => parts.logger.warn({ consumer: grip.name, error: describe(error) }, 'a checkpoint could not be written'),
      );
    }
    if (!last) await pause(checkpointEvery, ended);
  }
}

async function keepRetrying(run: Run, window: Window, ended: AbortSignal): Promise<void> {
  const { parts, reactor } = run;
  while (!ended.aborted) {
    if (run.blocked.size > 0) {
      const asked = await parts.parking.asked(reactor.consumer).catch(() => new Set<string>());
      // In the stream's own line, so that nothing of it runs beside; a failure is told by the parked event.
      await Promise.all([...asked].map((stream) => window.behind(stream, () => retryStream(run, stream)).catch(() => undefined)));
    }
    await pause(lookForRetries, ended);
  }
}
