import { staleAfter, sureFor } from '../../leases/lease-manager.js';
import { describe } from '../../process/observe.js';
import { pause, untilBeat } from '../../process/time.js';
import { type RunDoc } from '../run-documents.js';
import { type RunAtWork, type RunWorkParts } from './run-parts.js';
import { type RunHandler } from './run-steps.js';
import { workOn } from './run-work.js';

/**
 * Works on several runs at a time. Each has a lease (see `LeaseManager`), and all leases are kept by the same
 * heartbeats. Runs are found by queries; after a request in this process the query is made immediately.
 */
export interface RunEngine {
  start(): void;
  /** Looks for runs now. */
  poke(): void;
  /** Number of runs that this replica works on. */
  active(): number;
  /** Lets the present steps finish, for at most a second, and releases the runs. */
  stop(): Promise<void>;
}

export interface RunEngineParts extends RunWorkParts {
  readonly handlers: readonly RunHandler[];
  /** The most runs that this replica works on at a time. */
  readonly atOnce: number;
}

const lookEvery = 500;
/** While no run is open. Whoever requests one works on it, or has no room; then it can wait for so long. */
const lookForOpenEvery = 2000;
const finishWithin = 1000;

interface Active {
  readonly epoch: number;
  readonly leavesRoom: boolean;
  isLost: boolean;
  finished: Promise<void>;
}

interface EngineState {
  readonly byName: ReadonlyMap<string, RunHandler>;
  readonly active: Map<string, Active>;
  /** The last heartbeats seen of other replicas. */
  seen: Map<string, { mark: string; since: number }>;
  sureUntil: number;
  isAwaited: boolean;
  stopping: 'no' | 'soon' | 'now';
  poked: boolean;
  wake: () => void;
}

export function createRunEngine(parts: RunEngineParts): RunEngine {
  const state: EngineState = {
    byName: new Map(parts.handlers.map((handler) => [handler.kind.name, handler])),
    active: new Map(),
    seen: new Map(),
    sureUntil: 0,
    isAwaited: false,
    stopping: 'no',
    poked: false,
    wake: () => undefined,
  };
  let rounds: Promise<void> | undefined;
  return {
    start() {
      if (parts.handlers.length > 0 && state.stopping === 'no') rounds ??= keepLooking(parts, state);
    },
    poke: () => poke(state),
    active: () => state.active.size,
    async stop() {
      state.stopping = 'soon';
      const finished = Promise.all([...state.active.values()].map((active) => active.finished));
      await Promise.race([finished, pause(finishWithin)]);
      state.stopping = 'now';
      await finished;
      poke(state);
      await rounds;
    },
  };
}

function poke(state: EngineState): void {
  state.poked = true;
  state.wake();
}

/** Sends heartbeats until no run is worked on any more. */
async function keepLooking(parts: RunEngineParts, state: EngineState): Promise<void> {
  while (state.stopping === 'no' || state.active.size > 0) {
    state.poked = false;
    let wait = lookEvery;
    try {
      if (state.active.size > 0 || (await parts.documents.isAnyOpen([...state.byName.keys()])))
        await round(parts, state);
      else wait = untilBeat(lookForOpenEvery);
    } catch (error) {
      parts.logger.warn({ error: describe(error) }, 'the leases of runs could not be renewed');
    }
    if (state.poked) continue;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait);
      state.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

async function round(parts: RunEngineParts, state: EngineState): Promise<void> {
  const asked = parts.clock.monotonic();
  const mine = [...state.active.keys()];
  const beaten = mine.length === 0 ? 0 : await parts.documents.beat(mine, parts.owner);
  if (beaten < mine.length) await dropLost(parts, state, mine);
  state.sureUntil = asked + sureFor;
  if (state.stopping !== 'no') return;
  const names = [...state.byName.keys()];
  const left = (): number => parts.atOnce - state.active.size;
  for (const doc of await abandoned(parts, state, names, asked)) if (left() > 0) await begin(parts, state, doc);
  const now = parts.clock.now();
  const room = hasRoom(parts, state);
  const full = names.filter((name) => !room(name));
  // One more than this replica can work on, to find out whether others wait.
  const free = await parts.documents.free(names.filter(room), now, left() + 1);
  const waiting = full.length === 0 ? [] : await parts.documents.free(full, now, 1);
  state.isAwaited = free.length > left() || waiting.length > 0;
  for (const doc of free) if (left() > 0) await begin(parts, state, doc);
}

/** Whether there is a place for a run of a name: kinds that leave room do not take the last one. */
function hasRoom({ atOnce }: RunEngineParts, { active, byName }: EngineState): (name: string) => boolean {
  return (name) => {
    if (byName.get(name)?.kind.leavesRoom !== true) return true;
    return [...active.values()].filter(({ leavesRoom }) => leavesRoom).length < Math.max(1, atOnce - 1);
  };
}

async function dropLost(parts: RunEngineParts, state: EngineState, ids: readonly string[]): Promise<void> {
  const docs = new Map((await parts.documents.read(ids)).map((doc) => [doc._id, doc]));
  for (const id of ids) {
    const active = state.active.get(id);
    const doc = docs.get(id);
    if (active === undefined || (doc?.owner === parts.owner && doc.epoch === active.epoch && doc.open)) continue;
    active.isLost = true;
  }
}

/**
 * Runs whose owner has not sent a heartbeat for so long that it counts as dead. Runs that this process itself lost are
 * among them.
 */
async function abandoned(
  { documents, owner }: RunEngineParts,
  state: EngineState,
  names: readonly string[],
  now: number,
): Promise<RunDoc[]> {
  const docs = (await documents.owned(names)).filter((doc) => doc.owner !== owner || !state.active.has(doc._id));
  const seen: EngineState['seen'] = new Map();
  for (const { _id, owner: holder, epoch, beat } of docs) {
    const mark = `${holder}/${epoch}/${beat}`;
    const before = state.seen.get(_id);
    seen.set(_id, before?.mark === mark ? before : { mark, since: now });
  }
  state.seen = seen;
  return docs.filter(({ _id }) => now - (seen.get(_id)?.since ?? now) >= staleAfter);
}

async function begin(parts: RunEngineParts, state: EngineState, seen: RunDoc): Promise<void> {
  const handler = state.byName.get(seen.name);
  if (handler === undefined || state.active.has(seen._id) || state.stopping !== 'no') return;
  if (!hasRoom(parts, state)(seen.name)) return;
  const doc = await parts.documents.take(seen, parts.owner, parts.clock.now());
  if (doc === null) return;
  const { epoch } = doc;
  const active: Active = { epoch, leavesRoom: handler.kind.leavesRoom, isLost: false, finished: Promise.resolve() };
  state.active.set(seen._id, active);
  const run: RunAtWork = {
    lease: { id: seen._id, epoch },
    handler,
    doc,
    leaseState: () => (active.isLost ? 'lost' : parts.clock.monotonic() < state.sureUntil ? 'held' : 'unsure'),
    stopping: () => state.stopping,
    isAwaited: () => state.isAwaited,
  };
  parts.metrics.runsActive?.(state.active.size);
  active.finished = workOn(parts, run)
    .catch((error: unknown) =>
      parts.logger.warn({ run: seen._id, kind: seen.kind, error: describe(error) }, 'work on a run was interrupted'),
    )
    .finally(() => {
      state.active.delete(seen._id);
      parts.metrics.runsActive?.(state.active.size);
      poke(state);
    });
}
