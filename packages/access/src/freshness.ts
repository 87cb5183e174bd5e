import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type PrincipalChange } from '@scriptorium/contracts';
import { systemClock, type AnyProjection, type Clock, type Store } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';

const Announcement = z.object({
  epoch: z.string().min(1).max(128),
  recorded: z.record(z.string().max(64), z.string().regex(/^\d{1,20}$/)).default({}),
}) satisfies z.ZodType<Pick<PrincipalChange, 'epoch' | 'recorded'>>;

/** The part of a service that is needed to know whether its read models are fresh. */
export type HearingContext = Pick<ServiceContext, 'messaging' | 'store' | 'logger'>;

/** What a service asks before it answers a question about access. */
export interface RequiredFreshness {
  /** @throws AppError `unavailable` while the read models are not fresh */
  require(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether read models of one service are fresh, by what another service announces on a subject. */
export function listenForFreshness(
  context: HearingContext,
  { subject, projections }: { subject: string; projections: readonly AnyProjection[] },
): RequiredFreshness {
  // The store exists only after the start of the service.
  const source: ProgressSource = {
    isLive: (models) => context.store.isLive(models),
    written: (model) => context.store.written(model),
  };
  const freshness = createFreshness(source, { clock: systemClock, projections });
  const becomesFresh = createFreshWait(freshness, systemClock);
  const subscribed = context.messaging.subscribe(subject, (body) => freshness.heard(heartbeatOf(body)));
  // Without the subscription nothing is ever fresh, and requests are answered with `unavailable`.
  subscribed.catch((err: unknown) => context.logger.error({ err, subject }, 'announcements are not heard'));
  return {
    async require() {
      if (await becomesFresh()) return;
      const message = 'Access cannot be decided right now, try again';
      throw new AppError('unavailable', [], { message, retryAfter: 1 });
    },
    async stop() {
      const subscription = await subscribed.catch(() => undefined);
      await subscription?.unsubscribe();
    },
  };
}

function heartbeatOf(body: Uint8Array): Heartbeat {
  const { epoch, recorded } = Announcement.parse(JSON.parse(new TextDecoder().decode(body)));
  return { epoch, recorded: new Map(Object.entries(recorded).map(([entity, position]) => [entity, BigInt(position)])) };
}

/** The part of a service's store that knows the progress of its read models. */
export type ProgressSource = Pick<Store, 'isLive' | 'written'>;

/** The heartbeat of a process of another service. */
export interface Heartbeat {
  /** Identifies one run of the process. */
  epoch: string;
  /** Position of the last event that the process recorded, by service and entity of the stream (`identity.roster`). */
  recorded: ReadonlyMap<string, bigint>;
}

/** Decides whether a service may answer from its access read models. */
export interface Freshness {
  /** Takes a received heartbeat. */
  heard(beat: Heartbeat): void;
  /**
   * Whether the read models contain everything that happened up to 2 s ago. False also after 2 s without a heartbeat,
   * and while one of them is being rebuilt or has stopped; the answer is `unavailable` then. It queries the database
   * only when a read model seems to be behind.
   */
  isFresh(): Promise<boolean>;
}

export interface FreshnessOptions {
  clock: Clock;
  /** The read models that are made from events of the other service. */
  projections: readonly AnyProjection[];
}

/** The highest age (ms) of an answer about access. */
export const freshWithin = 2_000;

/** The most processes whose heartbeats are tracked. They are replicas of one service, so there are few. */
const mostEpochs = 64;

interface State {
  /** The last heartbeat of each process. */
  readonly heard: Map<string, number>;
  /** The demands, by entity. */
  readonly demands: Map<string, readonly Demand[]>;
  /** The known position of each read model, by collection. */
  readonly written: Map<string, bigint>;
}

/** Compares the heartbeats of another service with the service's own read models. Nothing runs in the background. */
export function createFreshness(source: ProgressSource, { clock, projections }: FreshnessOptions): Freshness {
  const state: State = { heard: new Map(), demands: new Map(), written: new Map() };
  const entities = new Set(projections.flatMap((projection) => projection.entities));
  const asked = new Map<string, Promise<bigint>>();
  const ask = (projection: AnyProjection): Promise<bigint> => {
    const { collection } = projection;
    const answer = asked.get(collection) ?? source.written(projection).finally(() => asked.delete(collection));
    asked.set(collection, answer);
    return answer;
  };
  const shows = async (projection: AnyProjection, now: number): Promise<boolean> => {
    const required = requiredOf(state, projection, now);
    if (required <= (state.written.get(projection.collection) ?? -1n)) return true;
    const written = await ask(projection);
    state.written.set(projection.collection, written);
    return written >= required;
  };
  return {
    heard: (beat) => hear(state, entities, beat, clock.monotonic()),
    async isFresh() {
      const now = clock.monotonic();
      const latest = Math.max(-Infinity, ...state.heard.values());
      if (now - latest >= freshWithin || !source.isLive(projections)) return false;
      const shown = await Promise.all(projections.map((projection) => shows(projection, now)));
      return shown.every(Boolean);
    },
  };
}

/**
 * A new position in a heartbeat was recorded after the previous heartbeat, so it is due 2 s after that one. A position
 * in the first heartbeat of a process may be old, so it is due at once.
 */
function hear(state: State, entities: ReadonlySet<string>, { epoch, recorded }: Heartbeat, now: number): void {
  const before = state.heard.get(epoch);
  const from = before === undefined ? now : before + freshWithin;
  if (before === undefined) makeRoom(state);
  state.heard.set(epoch, now);
  for (const [entity, position] of recorded) {
    if (entities.has(entity))
      state.demands.set(entity, addDemand(state.demands.get(entity) ?? [], { position, from }, now));
  }
}

/** Drops the process whose last heartbeat is the oldest. */
function makeRoom({ heard }: State): void {
  if (heard.size < mostEpochs) return;
  const [longest] = [...heard].sort(([, a], [, b]) => a - b);
  if (longest !== undefined) heard.delete(longest[0]);
}

function requiredOf({ demands }: State, { entities }: AnyProjection, now: number): bigint {
  return entities.reduce((most, entity) => {
    const due = dueBy(demands.get(entity) ?? [], now);
    return due > most ? due : most;
  }, -1n);
}

/** From the moment `from` (monotonic ms) on, a read model has to have reached `position`. */
export interface Demand {
  readonly position: bigint;
  readonly from: number;
}

/** Adds a demand to a list that is sorted by position and by moment. Demands that others include are dropped. */
export function addDemand(demands: readonly Demand[], demand: Demand, now: number): readonly Demand[] {
  const isIncluded = demands.some((other) => includes(other, demand));
  const others = isIncluded ? demands : demands.filter((other) => !includes(demand, other));
  const open = isIncluded ? others : [...others, demand].sort((a, b) => a.from - b.from);
  // Of the demands in force, the last one has the highest position.
  const holding = open.filter(({ from }) => from <= now).length;
  return open.slice(Math.max(0, holding - 1));
}

/** The position that has to be reached now, or `-1n`. */
export function dueBy(demands: readonly Demand[], now: number): bigint {
  return demands.findLast(({ from }) => from <= now)?.position ?? -1n;
}

/** Whether meeting the first demand also meets the second. */
function includes(one: Demand, other: Demand): boolean {
  return one.position >= other.position && one.from <= other.from;
}

const [longestMs, againMs] = [500, 25];

/**
 * Whether the read models are fresh now, or become so within 0.5 s. What a process of the other service says first is
 * due at once, and a service that has just begun has heard nothing yet: both are over in a moment. All who wait share
 * one wait, so that many requests ask no more often than one.
 */
export function createFreshWait(freshness: Pick<Freshness, 'isFresh'>, clock: Clock): () => Promise<boolean> {
  let waiting: Promise<boolean> | undefined;
  const becomesFresh = async (): Promise<boolean> => {
    for (const end = clock.monotonic() + longestMs; clock.monotonic() < end;) {
      await delay(againMs);
      if (await freshness.isFresh()) return true;
    }
    return false;
  };
  return async () => (await freshness.isFresh()) || (waiting ??= becomesFresh().finally(() => (waiting = undefined)));
}
