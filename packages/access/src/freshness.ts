import { type AnyProjection, type Clock, type Store } from '@scriptorium/event-sourcing';
import { addDemand, dueBy, type Demand } from './demands.js';

/** Of a service's store, what tells how far its read models are. */
export type ProgressSource = Pick<Store, 'isLive' | 'written'>;

/** What a process of another service says, again and again. */
export interface Heartbeat {
  /** One run of the process. */
  epoch: string;
  /** Position of the last event that the process recorded, by entity of the stream in full (`identity.roster`). */
  recorded: ReadonlyMap<string, bigint>;
}

/** Whether a service may answer by its read models of access. */
export interface Freshness {
  /** Takes a heartbeat as it comes in. */
  heard(beat: Heartbeat): void;
  /**
   * Whether the read models show everything that happened up to 2 s ago. False as well while nothing has been heard for 2 s,
   * and while one of them is being built or has stopped: the answer then is `unavailable`. Asks the database only when a
   * read model seems to be behind.
   */
  isFresh(): Promise<boolean>;
}

export interface FreshnessOptions {
  clock: Clock;
  /** The read models that are made of what the other service records. */
  projections: readonly AnyProjection[];
}

/** How old (ms) an answer about access may be. */
export const freshWithin = 2_000;

/** Processes that are listened to at a time: replicas of one service, so a few. */
const mostEpochs = 64;

interface State {
  /** When each process was heard last. */
  readonly heard: Map<string, number>;
  /** What has to be there, by entity. */
  readonly demands: Map<string, readonly Demand[]>;
  /** Up to where each read model was found to be, by its collection. */
  readonly written: Map<string, bigint>;
}

/** Compares what another service announces with what the own read models show. Nothing runs in the background. */
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
 * What is new in a heartbeat happened after the one before it, so it is due 2 s after that one. What the first heartbeat of a
 * process says may be old, and is due at once.
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

/** The process that was silent for longest goes. */
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
