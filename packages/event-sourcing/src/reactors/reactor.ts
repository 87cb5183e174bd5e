import { AppError } from '@scriptorium/contracts';
import {
  type EventTable,
  type Recorded,
  type RawEvent,
  nameOf,
  readEvent,
  type CommandContext,
} from '../events/events.js';
import { type ProjectedOf } from '../projections/projection.js';
import { type StoreScope } from '../commands/store-scope.js';
import { isAway } from '../database/database.js';
import { type EventStore } from '../events/event-store.js';
import { type Logger, type StoreMetrics, describe } from '../process/observe.js';
import { type Parked, type ParkingLot } from './parked.js';
import { readRange } from '../aggregates/folded.js';
import { type Clock, backOff, pause, within } from '../process/time.js';

interface ReactorDefinition<T extends readonly EventTable[]> {
  /** In snake_case. */
  readonly name: string;
  /** A new version reads the log again, from its `from`. */
  readonly version?: number;
  readonly events: T;
  /** `team` for this service, or `identity.team`. */
  readonly entities: readonly string[];
  /** Where a new reactor begins: at the first event (default), or at the next one. */
  readonly from?: 'start' | 'now';
  /**
   * Called at least once for each event, in order within a stream. When it throws, it is called again. Repeated
   * commands through `store` are recognised. They do not wait for projections. A second command on the same stream
   * needs a step of its own.
   */
  readonly react: (event: ProjectedOf<T>, store: StoreScope) => Promise<void>;
}

/** A reactor as the engine uses it. */
export interface Reactor {
  readonly name: string;
  /** The name of its lease and checkpoint. */
  readonly consumer: string;
  readonly tables: readonly EventTable[];
  readonly types: ReadonlySet<string>;
  readonly entities: readonly string[];
  readonly from: 'start' | 'now';
  react(event: Recorded, store: StoreScope): Promise<void>;
}

/** Declares a reaction to events: commands on other streams, timers, requests to other services. */
export function reactor<const T extends readonly EventTable[]>({
  name,
  version = 1,
  events,
  entities,
  from = 'start',
  react,
}: ReactorDefinition<T>): Reactor {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new RangeError(`reactor name "${name}" is not snake_case`);
  return {
    name,
    consumer: `reactor_${name}_v${version}`,
    tables: events,
    types: new Set(events.flatMap((table) => table.types)),
    entities,
    from,
    react: (event, store) => react(event as ProjectedOf<T>, store),
  };
}

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

/**
 * The context of commands in a reaction. The system acts, in the organization and correlation of the event.
 * `<reactor>:<id of the event>` is the key by which a repetition is recognised.
 */
function contextOfEvent(name: string, { id, meta }: Pick<Recorded, 'id' | 'meta'>): CommandContext {
  const { organization, correlation, within: place } = meta;
  const actor = { kind: 'system', id: name };
  return { actor, operation: name, organization, correlation, within: place, causation: id, idem: `${name}:${id}` };
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
