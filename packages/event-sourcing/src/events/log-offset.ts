import { AppError } from '@scriptorium/contracts';
import { type Batch, type EventSource } from './event-source.js';
import { type EventStore, openEventStore } from './event-store.js';
import { type RawEvent, type Metadata } from './events.js';
import { type Logger } from '../process/observe.js';
import { systemIds } from '../process/ids.js';

/** The log of one installation. */
export interface Log extends EventStore {
  /**
   * Positions up to here were given by servers from which the installation was moved, and mean nothing any more; `0n`
   * when it never was. All positions of this log are greater.
   */
  offset(): Promise<bigint>;
}

const type = 'LogMoved';
const most = 1000;

/**
 * Beside the streams of the namespace, so that nobody who reads these meets it. Its last event has the offset: it is in
 * the log, since all services have to know the same one.
 */
function streamOf(namespace: string): string {
  return `${namespace}_log`;
}

/**
 * Opens the log of an installation. A server counts positions in its own way, so an installation that was moved adds an
 * offset to them: positions that anybody holds from before are smaller than all of those that are given now. A copy
 * that is not complete answers with `unexpected`, but for the move that makes it (`isCopying`).
 */
export function openLog(
  url: string,
  namespace: string,
  { logger, isCopying = false }: { logger?: Logger; isCopying?: boolean } = {},
): Log {
  const store = openEventStore(url, logger);
  let known: bigint | undefined;
  let reading: Promise<bigint> | undefined;
  const offset = async (): Promise<bigint> => {
    if (known !== undefined) return known;
    reading ??= readOffset(store, namespace, isCopying).finally(() => (reading = undefined));
    return (known = await reading);
  };
  return {
    ...store,
    offset,
    async append(...append) {
      const by = await offset();
      const outcome = await store.append(...append);
      return outcome.kind === 'appended' ? { ...outcome, position: shifted(outcome.position, by) } : outcome;
    },
    async readStream(...read) {
      const by = await offset();
      const part = await store.readStream(...read);
      return part.kind === 'events' ? { ...part, events: shiftedAll(part.events, by) } : part;
    },
    tail: async (ms) => shifted(await store.tail(ms), await offset()),
    subscribe(prefixes, after) {
      if (known === 0n) return store.subscribe(prefixes, after);
      return lateSource(async () => {
        const by = await offset();
        return { by, source: store.subscribe(prefixes, after > by ? after - by : -1n) };
      });
    },
  };
}

/**
 * Records in the log of a target that all of its positions are behind `offset`, and whether the copy is complete.
 * Without `offset` it stays as it is.
 */
export async function writeOffset(
  url: string,
  namespace: string,
  { offset, isComplete }: { offset?: bigint; isComplete: boolean },
): Promise<void> {
  const store = openEventStore(url);
  try {
    await store.requireServer();
    const before = await read(store, namespace);
    const data = { offset: offset === undefined ? lastOf(before).offset : String(offset), isComplete };
    const event = { id: systemIds.uuid(), type, data, metadata: {} as Metadata };
    const outcome = await store.append(streamOf(namespace), BigInt(before.length) - 1n, [event]);
    if (outcome.kind !== 'appended')
      throw new AppError('conflict', [], { message: `somebody else writes to the stream ${streamOf(namespace)}` });
  } finally {
    await store.close();
  }
}

/** Whether the log is a copy that is complete: its server has an installation of its own since then. */
export async function isCompleteCopy(url: string, namespace: string): Promise<boolean> {
  const store = openEventStore(url);
  try {
    await store.requireServer();
    const events = await read(store, namespace);
    return events.length > 0 && lastOf(events).isComplete;
  } finally {
    await store.close();
  }
}

interface LogMoved {
  offset: string;
  isComplete: boolean;
}

async function readOffset(store: EventStore, namespace: string, isCopying: boolean): Promise<bigint> {
  const { offset, isComplete } = lastOf(await read(store, namespace));
  if (isComplete || isCopying) return BigInt(offset);
  throw new AppError('unexpected', [], {
    message: `the log of ${namespace} is a copy that is not complete: call scriptorium move again, with the same addresses`,
  });
}

/** What the last event says; a log that was never moved is complete. */
function lastOf(events: readonly RawEvent[]): LogMoved {
  return (events.at(-1)?.data as LogMoved | undefined) ?? { offset: '0', isComplete: true };
}

async function read(store: EventStore, namespace: string): Promise<RawEvent[]> {
  const part = await store.readStream(streamOf(namespace), 0n, most);
  return part.kind === 'events' ? part.events : [];
}

function shifted(position: bigint, by: bigint): bigint {
  return position < 0n ? position : position + by;
}

function shiftedAll(events: RawEvent[], by: bigint): RawEvent[] {
  return by === 0n ? events : events.map((event) => ({ ...event, position: shifted(event.position, by) }));
}

/** A source that is opened when the offset is known. */
function lateSource(open: () => Promise<{ by: bigint; source: EventSource }>): EventSource {
  const opened = open();
  // Whoever reads is told.
  opened.catch(() => undefined);
  return {
    async next(max, linger): Promise<Batch> {
      const { by, source } = await opened;
      const { events, position, caughtUp } = await source.next(max, linger);
      return { events: shiftedAll(events, by), position: position && shifted(position, by), caughtUp };
    },
    stop: async () => opened.then(({ source }) => source.stop()).catch(() => undefined),
  };
}
