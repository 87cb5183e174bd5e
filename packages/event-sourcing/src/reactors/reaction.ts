import { AppError } from '@scriptorium/contracts';
import { isAway } from '../database/database.js';
import { type EventStore } from '../events/event-store.js';
import { type RawEvent, type Recorded, nameOf, readEvent } from '../events/events.js';
import { type Logger, type StoreMetrics, describe } from '../process/observe.js';
import { type Parked, type ParkingLot } from './parked.js';
import { type CommandContext } from '../events/metadata.js';
import { type StoreScope } from '../commands/store-scope.js';
import { contextOfEvent } from './system-context.js';
import { type Reactor } from './reactor.js';
import { readRange } from '../aggregates/stream-reader.js';
import { type Clock, backOff, pause, within } from '../process/time.js';

export interface ReactionParts {
  events: EventStore;
  parking: ParkingLot;
  clock: Clock;
  logger: Logger;
  metrics: StoreMetrics;
  /** The scope of one reaction. */
  scopeOf(context: CommandContext): StoreScope;
}

/** A running reactor. It stops when `signal` aborts or `holds` returns false, because another replica takes over. */
export interface Reacting {
  parts: ReactionParts;
  reactor: Reactor;
  holds: () => boolean;
  signal: AbortSignal;
  /** Streams with parked events. Later events of these streams are parked as well, so that their order is kept. */
  blocked: Set<string>;
}

const attemptsPerEvent = 6;
/** An unavailable server is not the fault of the event, so it is tried for minutes before it is parked. */
const attemptsWhileAway = 150;
const reactWithin = 30_000;

/** Thrown when the reactor has to stop during a reaction. The event counts as not processed. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Reacts to one event. A failed attempt is repeated with growing pauses; after the last one the event is parked. */
export async function reactTo(reacting: Reacting, raw: RawEvent): Promise<void> {
  const { parts, reactor, blocked, signal } = reacting;
  if (blocked.has(raw.stream))
    return park(reacting, raw, { error: 'waits for an earlier event of its stream', attempts: 0, waiting: true });
  for (let failures = 1; ; failures += 1) {
    const error = await tryOnce(reacting, raw);
    if (error === undefined) return;
    parts.logger.warn(
      { reactor: reactor.name, event: nameOf(raw), failures, error: describe(error) },
      'a reaction failed',
    );
    if (failures >= (isAway(error) ? attemptsWhileAway : attemptsPerEvent)) {
      await park(reacting, raw, { error: describe(error), attempts: failures, waiting: false });
      return;
    }
    await pause(backOff(failures), signal);
  }
}

/** The error of one attempt; `undefined` when it succeeded. */
async function tryOnce({ parts, reactor, holds, signal }: Reacting, raw: RawEvent): Promise<unknown> {
  if (signal.aborted || !holds()) throw new Interrupted();
  try {
    const event = read(reactor, raw);
    if (event !== null)
      await within(
        reactWithin,
        `reactor ${reactor.name}`,
        reactor.react(event, parts.scopeOf(contextOfEvent(reactor.name, event))),
      );
    return undefined;
  } catch (error) {
    return error ?? new AppError('unexpected');
  }
}

function read(reactor: Reactor, raw: RawEvent): Recorded | null {
  for (const table of reactor.tables) {
    const event: Recorded | null = readEvent(table, raw);
    if (event !== null) return event;
  }
  return null;
}

async function park(
  reacting: Reacting,
  raw: RawEvent,
  why: { error: string; attempts: number; waiting: boolean },
): Promise<void> {
  const { parts, reactor, blocked, signal, holds } = reacting;
  blocked.add(raw.stream);
  for (let failures = 0; ; failures += 1) {
    if (signal.aborted || !holds()) throw new Interrupted();
    try {
      await parts.parking.park(reactor.consumer, raw, { ...why, now: parts.clock.now() });
      break;
    } catch (error) {
      if (!isAway(error)) throw error;
      await pause(backOff(failures), signal);
    }
  }
  parts.metrics.parked?.(reactor.name, raw.type);
  if (!why.waiting)
    parts.logger.error({ reactor: reactor.name, event: nameOf(raw), error: why.error }, 'an event was parked');
}

/** Tries the parked events of a stream again, in order. At the first failure the rest stays parked. */
export async function retryStream(reacting: Reacting, stream: string): Promise<void> {
  const { parts, reactor, blocked } = reacting;
  const { consumer } = reactor;
  for (const parked of await parts.parking.of(consumer, stream)) {
    const raw = await fetch(parts, parked);
    const error = raw === undefined ? undefined : await tryOnce(reacting, raw);
    if (error !== undefined) return parts.parking.failedAgain(consumer, stream, parked.id, describe(error));
    await parts.parking.done(parked.id);
  }
  blocked.delete(stream);
  parts.logger.info({ reactor: reactor.name, stream }, 'parked events were processed');
}

/** Reads a parked event. If its stream was erased in the meantime, there is nothing to react to. */
async function fetch({ events }: ReactionParts, { stream, revision }: Parked): Promise<RawEvent | undefined> {
  return (await readRange(events, stream, revision, revision))[0];
}
