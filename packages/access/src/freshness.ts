import { type AnyProjection, type Clock, type Store } from '@scriptorium/event-sourcing';
import { addDemand, dueBy, type Demand } from './demands.js';

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
