import { AppError } from '@scriptorium/contracts';
import { type RawEvent } from '../events/events.js';
import { type Log } from '../events/log-offset.js';
import { consumedPrefixes, entityPrefix } from '../events/streams.js';
import { type StoreMetrics } from '../process/observe.js';
import { type Clock, within } from '../process/time.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';

/** What was recorded: a reader waits for the projections that consume one of the types to pass the position. */
export interface Written {
  readonly position: bigint;
  readonly types: readonly string[];
}

/** How a wait for a position ended. `late`: `ms` were not enough; `unknown`: the log does not go that far. */
export type PositionOutcome = 'reached' | 'late' | 'unknown';

/** How readers wait until the projections of a service are far enough. */
export interface Waits {
  /**
   * Waits until the live projections show what was written. An answer must not show less than what it answers for:
   * beyond the 2 s that are counted, while another replica takes the projections over, it waits on until the deadline
   * (epoch ms; 8 s from now without one) is near.
   * @throws `unavailable` then: the change is recorded, and the reader does not know it
   */
  shown(written: Written, deadline: number | undefined): Promise<void>;
  /** The same for at most 2 s; false when that was not enough. */
  waitUntilVisible(written: Written): Promise<boolean>;
  /**
   * Waits until the live projections show what was recorded elsewhere, also by another service: each projection is
   * waited for up to the last position of a type that it consumes, and not at all if it consumes none of them.
   * `deadline`: epoch ms; 8 s from now without one.
   * @throws `unavailable` near the deadline
   */
  waitForTypes(positions: ReadonlyMap<string, bigint>, deadline: number | undefined): Promise<void>;
  /**
   * Whether these projections, or all of the service, answer for what was written, as far as this replica knows. Asks
   * no server.
   */
  isLive(projections?: readonly Pick<AnyProjection, 'collection'>[]): boolean;
  /**
   * The position up to which a projection's documents are all there; `-1n` when that is not known. Later documents may
   * be there too.
   */
  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint>;
  /**
   * Waits until the projections have everything of this service up to a position of the log. Projections know how far
   * they are only by events they consume: when nothing is heard for a while, the log is searched for such an event up
   * to the position.
   */
  waitForPosition(position: bigint, ms: number): Promise<PositionOutcome>;
  /**
   * Whether a position was given by servers from which the installation was moved later: everything up to it is here,
   * but nobody knows where that is.
   */
  isFormer(position: bigint): Promise<boolean>;
}

interface Waiting {
  readonly metrics: StoreMetrics;
  readonly clock: Clock;
  readonly projections: readonly Pick<AnyProjection, 'collection' | 'types'>[];
  readonly progress: Pick<Progress, 'wait'>;
  /** Types of which each service has streams of its own: it never sees those of another one. */
  readonly ownTypes: readonly string[];
}

interface WaitParts extends Waiting {
  readonly namespace: string;
  readonly service: string;
  readonly projections: readonly AnyProjection[];
  readonly progress: Progress;
  readonly events: Log;
}

const visibleWithin = 2000;
/** For commands without a deadline, ms. */
const longestWait = 8_000;
/** An answer has to be sent as well, ms. */
export const timeToAnswer = 500;
/** Until the log is searched, ms. */
const heardWithin = 100;
const batchSize = 1024;

export function createWaits(parts: WaitParts): Waits {
  const { progress, events } = parts;
  return {
    shown: (written, deadline) => shown(parts, written, deadline),
    waitUntilVisible: (written) => waitUntilVisible(parts, written),
    waitForTypes: (positions, deadline) => waitForTypes(parts, positions, deadline),
    isLive: (projections = parts.projections) =>
      projections.every(({ collection }) => progress.of(collection)?.state === 'live'),
    written: ({ collection }) => progress.written(collection),
    waitForPosition: (position, ms) => waitForPosition(parts, position, ms),
    isFormer: async (position) => position > 0n && position <= (await events.offset()),
  };
}

async function shown(waiting: Waiting, written: Written, deadline: number | undefined): Promise<void> {
  if (await waitUntilVisible(waiting, written)) return;
  const now = waiting.clock.now();
  const left = (deadline ?? now + longestWait) - now - timeToAnswer;
  const names = consumersOf(waiting, written);
  if (left > 0 && (await waiting.progress.wait(names, written.position, left))) return;
  throw new AppError('unavailable', [], { message: 'The change is recorded, but cannot be shown yet', retryAfter: 1 });
}

async function waitUntilVisible(waiting: Waiting, written: Written): Promise<boolean> {
  const names = consumersOf(waiting, written);
  if (names.length === 0 || (await waiting.progress.wait(names, written.position, visibleWithin))) return true;
  waiting.metrics.waitExceeded?.();
  return false;
}

function consumersOf({ projections }: Waiting, { types }: Written): string[] {
  return projections
    .filter((projection) => types.some((type) => projection.types.has(type)))
    .map(({ collection }) => collection);
}

/** See `Waits`. */
export async function waitForTypes(
  waiting: Waiting,
  positions: ReadonlyMap<string, bigint>,
  deadline: number = waiting.clock.now() + longestWait,
): Promise<void> {
  const told = [...positions].filter(([type]) => !waiting.ownTypes.includes(type));
  const targets = waiting.projections.flatMap(({ collection, types }) => {
    const last = told.reduce((max, [type, at]) => (types.has(type) && at > max ? at : max), -1n);
    return last < 0n ? [] : [{ collection, last }];
  });
  const left = (): number => deadline - waiting.clock.now() - timeToAnswer;
  const wait = async (ms: number): Promise<boolean> => {
    const waits = targets.map(({ collection, last }) => waiting.progress.wait([collection], last, Math.max(0, ms)));
    return (await Promise.all(waits)).every((passed) => passed);
  };
  if (await wait(Math.min(visibleWithin, left()))) return;
  waiting.metrics.waitExceeded?.();
  if (left() > 0 && (await wait(left()))) return;
  const message = 'The answer would be older than what the caller has changed in another service';
  throw new AppError('unavailable', [], { message, retryAfter: 1 });
}

async function waitForPosition(parts: WaitParts, position: bigint, ms: number): Promise<PositionOutcome> {
  const { progress, projections, clock, events } = parts;
  const names = projections.map(({ collection }) => collection);
  const until = clock.monotonic() + ms;
  if (await progress.wait(names, position, Math.min(heardWithin, ms))) return 'reached';
  if ((await events.tail(Math.max(1, until - clock.monotonic()))) < position) return 'unknown';
  const last = await lastConsumed(parts, position, until - clock.monotonic()).catch(() => undefined);
  if (last === undefined) return 'late';
  const left = Math.max(0, until - clock.monotonic());
  const waits = [...last].map(([name, at]) => progress.wait([name], at, left));
  return (await Promise.all(waits)).every(Boolean) ? 'reached' : 'late';
}

/**
 * For each projection that has not passed all of them, the position of the last event up to `position` that it
 * consumes.
 */
async function lastConsumed(parts: WaitParts, position: bigint, ms: number): Promise<Map<string, bigint>> {
  const { projections, events, clock } = parts;
  const behind = projections.map((projection) => consumerOf(parts, projection));
  const from = behind.reduce((least, { at }) => (at < least ? at : least), position);
  const until = clock.monotonic() + ms;
  const source = events.subscribe(consumedPrefixes(parts, parts.projections), from);
  const last = new Map<string, bigint>();
  try {
    for (;;) {
      const batch = await within(until - clock.monotonic(), 'searching the log', source.next(batchSize, 0));
      noteConsumed(
        last,
        behind,
        batch.events.filter((event) => event.position <= position),
      );
      if (batch.caughtUp || (batch.position ?? -1n) >= position) return last;
    }
  } finally {
    await source.stop();
  }
}

function noteConsumed(last: Map<string, bigint>, behind: readonly Consumer[], events: readonly RawEvent[]): void {
  for (const event of events)
    for (const { name, at, consumes } of behind)
      if (event.position > at && consumes(event)) last.set(name, event.position);
}

interface Consumer {
  readonly name: string;
  /** How far it is for sure. */
  readonly at: bigint;
  readonly consumes: (event: RawEvent) => boolean;
}

function consumerOf({ progress, namespace, service }: WaitParts, projection: AnyProjection): Consumer {
  const { collection: name, entities, types } = projection;
  const prefixes = entities.map((entity) => entityPrefix(namespace, service, entity));
  return {
    name,
    at: progress.of(name)?.at ?? -1n,
    consumes: ({ type, stream }) => types.has(type) && prefixes.some((prefix) => stream.startsWith(prefix)),
  };
}
