import { AppError } from '@scriptorium/contracts';
import { type EventStore, openEventStore } from '../events/event-store.js';
import { openLog } from '../events/log-offset.js';
import { type RawEvent, type Metadata } from '../events/events.js';
import { type Move } from './move.js';

/** What is wanted of a copy of the log. */
export interface LogCopy {
  /** Positions in the source whose counterparts in the target are wanted: `namedPositions`. */
  readonly positions: Iterable<bigint>;
  /** Called with how many of all events are copied, and then compared. */
  progress(what: 'copied' | 'compared', done: number, total: number): void;
}

type LogMove = Pick<Move, 'namespace'> & LogCopy;

/** What was moved. */
export interface MovedLog {
  events: number;
  streams: number;
  /** Streams of which only the tombstone was copied. */
  erased: number;
  /** For each wanted position the one up to which the target holds the same events; `-1n` when that is none. */
  positions: ReadonlyMap<bigint, bigint>;
}

interface Overview {
  total: number;
  streams: Set<string>;
  erased: Set<string>;
}

const batchSize = 1024;
const tombstone = '$streamDeleted';

/**
 * Copies all events of a namespace to another server in the order of the log, with their ids, revisions and metadata;
 * positions are other ones. It goes on behind what an earlier call has copied, and compares everything at the
 * end.
 * @throws AppError `conflict` when the target holds other events
 */
export async function moveLog({ from, to, namespace }: Move, wanted: LogCopy): Promise<MovedLog> {
  const move = { ...wanted, namespace };
  const source = openLog(from.eventstore, namespace);
  const target = openLog(to.eventstore, namespace, { isCopying: true });
  try {
    await target.requireServer();
    const overview = await look(source, move.namespace);
    await copy(move, { source, target }, overview);
    for (const stream of overview.erased) await target.erase(stream);
    const positions = await compare(move, { source, target }, overview);
    const { total: events, streams, erased } = overview;
    return { events, streams: streams.size, erased: erased.size, positions };
  } finally {
    await source.close();
    await target.close();
  }
}

/** The id of the first event of a namespace, which no other installation has; `undefined` for an empty log. */
export async function firstEventId(url: string, namespace: string): Promise<string | undefined> {
  const store = openEventStore(url);
  try {
    for await (const { id } of eventsOf(store, namespace)) return id;
    return undefined;
  } finally {
    await store.close();
  }
}

/** All events of a namespace that there are now. */
async function* eventsOf(store: EventStore, namespace: string): AsyncGenerator<RawEvent> {
  const source = store.subscribe([`${namespace}.`], -1n);
  try {
    for (;;) {
      const { events, caughtUp } = await source.next(batchSize, 0);
      yield* events;
      if (caughtUp) return;
    }
  } finally {
    await source.stop();
  }
}

async function look(store: EventStore, namespace: string): Promise<Overview> {
  const [counts, erased] = [new Map<string, number>(), new Set<string>()];
  for await (const { stream, type } of eventsOf(store, namespace)) {
    if (type === tombstone) erased.add(stream);
    else counts.set(stream, (counts.get(stream) ?? 0) + 1);
  }
  for (const stream of erased) counts.delete(stream);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { total, streams: new Set(counts.keys()), erased };
}

/** What is copied: not what stands in erased streams until a scavenge, and not what the server itself has written. */
async function* movedEvents(store: EventStore, namespace: string, { erased }: Overview): AsyncGenerator<RawEvent> {
  for await (const event of eventsOf(store, namespace))
    if (!erased.has(event.stream) && !event.type.startsWith('$')) yield event;
}

interface Stores {
  source: EventStore;
  target: EventStore;
}

async function copy(move: LogMove, { source, target }: Stores, overview: Overview): Promise<void> {
  const there = movedEvents(target, move.namespace, overview);
  let [done, isThere] = [0, true];
  let commit: RawEvent[] = [];
  for await (const event of movedEvents(source, move.namespace, overview)) {
    const found = isThere ? await there.next() : undefined;
    if (found?.done === false) {
      refuseOther(event, found.value);
      move.progress('copied', (done += 1), overview.total);
      continue;
    }
    isThere = false;
    if (commit.length > 0 && !isOneCommit(commit, event)) {
      await append(target, commit);
      move.progress('copied', (done += commit.length), overview.total);
      commit = [];
    }
    commit.push(event);
  }
  if (commit.length > 0) await append(target, commit);
  if (isThere && (await there.next()).done === false) throw refusal('it has more events than the source');
}

/** Events of one append have one position, or follow each other in a log whose positions are those of events. */
function isOneCommit([first]: readonly RawEvent[], { stream, position }: RawEvent): boolean {
  return first?.stream === stream && first.position === position;
}

async function append(target: EventStore, events: readonly RawEvent[]): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const outcome = await target.append(
    first.stream,
    first.revision - 1n,
    // Metadata is copied as it stands, whatever version wrote it.
    events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata: metadata as Metadata })),
  );
  if (outcome.kind !== 'appended') throw refusal(`stream ${first.stream} is ${outcome.kind} there`);
}

/** Compares both logs event by event, and finds the counterparts of positions. */
async function compare(
  move: LogMove,
  { source, target }: Stores,
  overview: Overview,
): Promise<ReadonlyMap<bigint, bigint>> {
  const wanted = [...new Set(move.positions)].sort((a, b) => (a < b ? -1 : 1));
  const positions = new Map<bigint, bigint>();
  const there = movedEvents(target, move.namespace, overview);
  let [last, done, at] = [-1n, 0, 0];
  const settle = (before: bigint | undefined): void => {
    for (let next = wanted[at]; next !== undefined && (before === undefined || next < before); next = wanted[at]) {
      positions.set(next, last);
      at += 1;
    }
  };
  for await (const event of movedEvents(source, move.namespace, overview)) {
    settle(event.position);
    const found = await there.next();
    if (found.done === true) throw refusal(`it lacks events from ${event.stream} on`);
    refuseOther(event, found.value);
    last = found.value.position;
    move.progress('compared', (done += 1), overview.total);
  }
  settle(undefined);
  if ((await there.next()).done === false) throw refusal('it has more events than the source');
  return positions;
}

function refuseOther(own: RawEvent, theirs: RawEvent): void {
  const isSame =
    own.id === theirs.id &&
    own.stream === theirs.stream &&
    own.revision === theirs.revision &&
    own.type === theirs.type &&
    JSON.stringify([own.data, own.metadata]) === JSON.stringify([theirs.data, theirs.metadata]);
  if (!isSame) throw refusal(`event ${theirs.revision} of ${theirs.stream} is not that of the source`);
}

function refusal(why: string): AppError {
  return new AppError('conflict', [], { message: `the target log is not a copy of the source: ${why}` });
}
