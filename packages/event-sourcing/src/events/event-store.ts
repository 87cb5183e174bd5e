import { AppError } from '@scriptorium/contracts';
import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  BACKWARDS,
  END,
  EventStoreDBClient,
  NO_STREAM,
  type ReadPosition,
  type RecordedEvent,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  type StreamingRead,
  WrongExpectedVersionError,
  jsonEvent,
  streamNameFilter,
} from '@eventstore/db-client';
import { type RawEvent, type Metadata } from './events.js';
import { type EventSource, createEventSource } from './event-source.js';
import { fromClientError, isAccessDenied } from './client-errors.js';
import { forClient, openWithCredentials, renewable } from './client.js';
import { createDeadlines, withOwnAppends } from './client-appends.js';
import { requireAccess, requireRelease, versionOf } from './server-check.js';
import { approximateBytes } from './approximate-bytes.js';
import { type Logger, silentLogger } from '../process/observe.js';
import { within } from '../process/time.js';

export interface NewEvent {
  id: string;
  type: string;
  data: unknown;
  metadata: Metadata;
}

/**
 * `absent`: no event was ever written, or all were deleted. `erased`: the stream was tombstoned, and nothing can be
 * appended to it any more.
 */
export type StreamPart = { kind: 'events'; events: RawEvent[] } | { kind: 'absent' } | { kind: 'erased' };

export type AppendOutcome =
  { kind: 'appended'; revision: bigint; position: bigint } | { kind: 'moved' } | { kind: 'erased' };

/**
 * The log, as this package uses it. Every call ends within `ms` (default 5 s) or throws `AppError('unavailable')`;
 * `unexpected` when the server refuses the user, see `isAccessDenied`.
 */
export interface EventStore {
  /**
   * Appends all events or none. `expected` is the revision of the last event; `-1n` for a stream that must not exist.
   */
  append(stream: string, expected: bigint, events: readonly NewEvent[], ms?: number): Promise<AppendOutcome>;
  /** At most `count` events of a stream, forwards from revision `from`. */
  readStream(stream: string, from: bigint, count: number, ms?: number): Promise<StreamPart>;
  /** The commit position of the last event in the whole log; `-1n` if it is empty. */
  tail(ms?: number): Promise<bigint>;
  /**
   * All events after `after` of streams whose names begin with one of `prefixes`, then live ones. `-1n`: from the first
   * event.
   */
  subscribe(prefixes: readonly string[], after: bigint): EventSource;
  /** Tombstones a stream: its events can no longer be read, and its name can never be used again. */
  erase(stream: string, ms?: number): Promise<void>;
  /**
   * Checks that the server is of a release that has what is used here, and that it lets the user read the log. A user
   * that it refuses may be made at this moment: that is waited for, until `signal` aborts. Returns the release.
   * @throws AppError `unexpected` with one line for the operator
   */
  requireServer(signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

const patience = 5000;

/** The client for an address; it connects later. @throws Error with the address when the client cannot read it */
export const clientOf = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

/** Connects to `url` (`esdb://`, `kurrentdb://`) at the first call. The next call replaces a broken connection. */
export function openEventStore(url: string, logger: Logger = silentLogger): EventStore {
  const deadlines = createDeadlines(logger);
  const client = renewable(() => withOwnAppends(openWithCredentials(forClient(url), clientOf), deadlines.options));
  const call = async <T>(what: string, ms: number, work: (client: EventStoreDBClient) => Promise<T>): Promise<T> => {
    const used = client.get();
    try {
      return await within(ms, `EventStoreDB ${what}`, work(used));
    } catch (error) {
      const mapped = fromClientError(error);
      if (mapped.reason === 'unavailable' || isAccessDenied(mapped)) client.renew(used);
      throw mapped;
    }
  };
  const tail = (ms = patience): Promise<bigint> => call('read', ms, (c) => readTail(c, ms));
  return {
    append: (stream, expected, events, ms = patience) =>
      call('append', ms, (c) => deadlines.within(ms, (left) => append(c, stream, expected, events, left))),
    readStream: (stream, from, count, ms = patience) => call('read', ms, (c) => readStream(c, stream, from, count, ms)),
    tail,
    subscribe: (prefixes, after) => createEventSource((sink) => subscribe(client.get(), prefixes, after, sink)),
    erase: (stream, ms = patience) =>
      call('delete', ms, async (c) => {
        await c.tombstoneStream(stream, { deadline: ms }).catch((error: unknown) => {
          if (!(error instanceof StreamDeletedError)) throw error;
        });
      }),
    async requireServer(signal) {
      const version = await call('check', patience, versionOf);
      requireRelease(version);
      await requireAccess(() => tail(), { signal });
      return version;
    },
    close: () => client.close(),
  };
}

async function append(
  client: EventStoreDBClient,
  stream: string,
  expected: bigint,
  events: readonly NewEvent[],
  ms: number,
): Promise<AppendOutcome> {
  refuseHuge(events);
  try {
    const done = await client.appendToStream(
      stream,
      events.map((event) =>
        jsonEvent({
          id: event.id,
          type: event.type,
          data: event.data as Record<string, unknown>,
          metadata: event.metadata,
        }),
      ),
      { expectedRevision: expected < 0n ? NO_STREAM : expected, deadline: ms },
    );
    return { kind: 'appended', revision: done.nextExpectedRevision, position: done.position?.commit ?? -1n };
  } catch (error) {
    if (error instanceof WrongExpectedVersionError) return { kind: 'moved' };
    if (error instanceof StreamDeletedError) return { kind: 'erased' };
    throw error;
  }
}

/** No server takes an event of this many bytes. A message with one would break the stream of all appends under way. */
const hugeEvent = 16 * 1024 * 1024;

/** Measures only what may be huge. Of a text at least two thirds are estimated. */
function refuseHuge(events: readonly NewEvent[]): void {
  for (const { data } of events)
    if (approximateBytes(data) > hugeEvent / 2 && Buffer.byteLength(JSON.stringify(data)) > hugeEvent)
      throw new AppError('too_large');
}

async function readStream(
  client: EventStoreDBClient,
  stream: string,
  from: bigint,
  count: number,
  ms: number,
): Promise<StreamPart> {
  try {
    const read = await collect(client.readStream(stream, { fromRevision: from, maxCount: count, deadline: ms }));
    return { kind: 'events', events: read.flatMap((resolved) => toRaw(resolved) ?? []) };
  } catch (error) {
    if (error instanceof StreamNotFoundError) return { kind: 'absent' };
    if (error instanceof StreamDeletedError) return { kind: 'erased' };
    throw error;
  }
}

async function readTail(client: EventStoreDBClient, ms: number): Promise<bigint> {
  const last = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, deadline: ms }));
  return last[0] === undefined ? -1n : positionOf(last[0]);
}

function collect<T>(stream: StreamingRead<T>): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const all: T[] = [];
    stream.on('data', (item: T) => all.push(item));
    stream.on('end', () => resolve(all));
    stream.on('error', reject);
  });
}

interface Sink {
  event(raw: RawEvent): void;
  passed(position: bigint): void;
  caughtUp(): void;
  broken(error: unknown): void;
}

/**
 * Filters on the server. The client's own checkpoint after every 2,048 events keeps the position recent when nothing
 * matches.
 */
function subscribe(client: EventStoreDBClient, prefixes: readonly string[], after: bigint, sink: Sink) {
  const fromPosition: ReadPosition = after < 0n ? START : { commit: after, prepare: after };
  const filter = streamNameFilter({
    prefixes: [...prefixes],
    maxSearchWindow: 256,
    checkpointInterval: 8,
    // A checkpoint can arrive before events that are still in the stream's buffer; then it is ignored.
    checkpointReached: (subscription, position) => {
      if (subscription.readableLength === 0) sink.passed(position.commit);
    },
  });
  const stream: AllStreamSubscription = client.subscribeToAll({ fromPosition, filter }, { highWaterMark: 1024 });
  stream.on('data', (resolved: AllStreamResolvedEvent) => {
    const raw = toRaw(resolved);
    if (raw !== undefined) sink.event(raw);
  });
  stream.on('caughtUp' as 'confirmation', () => sink.caughtUp());
  stream.on('error', (error: unknown) => sink.broken(fromClientError(error)));
  stream.on('end', () =>
    sink.broken(new AppError('unavailable', [], { message: 'EventStoreDB ended the subscription' })),
  );
  return {
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    buffered: () => stream.readableLength,
    stop: () => stream.unsubscribe().catch(() => undefined),
  };
}

function positionOf(resolved: ResolvedEvent | AllStreamResolvedEvent): bigint {
  return resolved.commitPosition ?? resolved.event?.position?.commit ?? -1n;
}

function toRaw(resolved: ResolvedEvent | AllStreamResolvedEvent): RawEvent | undefined {
  const event: RecordedEvent | undefined = resolved.event;
  if (event === undefined) return undefined;
  return {
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: event.metadata,
    stream: event.streamId,
    revision: event.revision,
    position: positionOf(resolved),
    created: event.created,
  };
}
