import { type Broadcast } from '../process/broadcast.js';
import { type ConsumerState, type Consumers } from '../leases/consumers.js';
import { type Logger, describe } from '../process/observe.js';
import { type Clock } from '../process/time.js';
import { type Announcement, announcementsOf, decode, encode, type Told } from './announcement.js';

/** How far a projection has come, as this replica knows it. */
export interface ProjectionProgress {
  epoch: number;
  at: bigint;
  state: ConsumerState;
  /** Position of the last event that changed its documents, as far as this replica was told. */
  changed: bigint;
}

export interface Progress {
  /** Tells all replicas; projections that are equally far are told of together. */
  announce(told: readonly Told[]): void;
  of(name: string): ProjectionProgress | undefined;
  /**
   * Waits until the live ones among `names` have passed `position`; false when that took longer than `ms`. Projections
   * that are being built or have stopped are not waited for. Hears the owner's announcements, and reads the checkpoints
   * when nothing was heard for 50 ms.
   */
  wait(names: readonly string[], position: bigint, ms: number): Promise<boolean>;
  /**
   * How far a projection is written for sure, `-1n` when that is not known. Reads the checkpoints when nothing was
   * heard of it for 50 ms.
   */
  written(name: string): Promise<bigint>;
  /** Calls `listener` whenever this replica is told that a projection has changed. Returns what ends it. */
  onChange(name: string, listener: () => void): () => void;
  /** Reads all checkpoints now. */
  refresh(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
}

const silence = 50;

interface Waiter {
  names: readonly string[];
  position: bigint;
  settle(passed: boolean): void;
}

interface ProgressState {
  known: Map<string, ProjectionProgress>;
  waiters: Set<Waiter>;
  listeners: Set<{ name: string; call: () => void }>;
  /** When something was last heard of a projection. */
  heard: Map<string, number>;
  poll: NodeJS.Timeout | undefined;
  reading: Promise<void> | undefined;
  listening: { stop(): void } | undefined;
}

export interface ProgressParts {
  names: readonly string[];
  /** Names this replica in its announcements. */
  owner: string;
  consumers: Consumers;
  subject: string;
  broadcast: Broadcast;
  clock: Clock;
  logger: Logger;
}

export function createProgress(parts: ProgressParts): Progress {
  const state: ProgressState = {
    known: new Map(),
    waiters: new Set(),
    listeners: new Set(),
    heard: new Map(),
    poll: undefined,
    reading: undefined,
    listening: undefined,
  };
  return {
    announce(told) {
      for (const news of announcementsOf(told)) {
        learn(parts, state, news);
        parts.broadcast.publish(parts.subject, encode(parts.owner, news));
      }
    },
    of: (name) => state.known.get(name),
    wait: (names, position, ms) => wait(parts, state, names, position, ms),
    onChange(name, call) {
      const listener = { name, call };
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },
    written: (name) => written(parts, state, name),
    refresh: () => refresh(parts, state),
    async start() {
      state.listening ??= await parts.broadcast.subscribe(parts.subject, (body) => {
        const news = decode(parts.owner, body);
        if (news !== undefined) learn(parts, state, news);
      });
    },
    stop() {
      state.listening?.stop();
      clearInterval(state.poll);
      for (const waiter of state.waiters) waiter.settle(false);
    },
  };
}

function learn(parts: ProgressParts, state: ProgressState, { at, of }: Announcement): void {
  const now = parts.clock.monotonic();
  for (const { name, epoch, state: status, changed } of of) {
    const known = state.known.get(name);
    if (known !== undefined && known.epoch > epoch) continue;
    state.heard.set(name, now);
    const isNew = known === undefined || known.epoch < epoch;
    const hasChanged = isNew || changed > known.changed;
    state.known.set(name, {
      epoch,
      at: isNew || at > known.at ? at : known.at,
      state: status,
      changed: hasChanged ? changed : known.changed,
    });
    if (hasChanged) tell(state, name);
  }
  settleAll(state);
}

async function written(parts: ProgressParts, state: ProgressState, name: string): Promise<bigint> {
  const heard = state.heard.get(name);
  if (heard === undefined || heard <= parts.clock.monotonic() - silence) await refresh(parts, state);
  return state.known.get(name)?.at ?? -1n;
}

function tell({ listeners }: ProgressState, changed: string): void {
  for (const { name, call } of listeners) if (name === changed) call();
}

function settleAll(state: ProgressState): void {
  for (const waiter of state.waiters) {
    if (passed(state, waiter.names, waiter.position)) waiter.settle(true);
  }
}

function passed(state: ProgressState, names: readonly string[], position: bigint): boolean {
  return names.every((name) => {
    const known = state.known.get(name);
    return known === undefined || known.state !== 'live' || known.at >= position;
  });
}

function wait(
  parts: ProgressParts,
  state: ProgressState,
  names: readonly string[],
  position: bigint,
  ms: number,
): Promise<boolean> {
  if (passed(state, names, position)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => waiter.settle(false), ms);
    const waiter: Waiter = {
      names,
      position,
      settle(done) {
        clearTimeout(timer);
        state.waiters.delete(waiter);
        resolve(done);
      },
    };
    state.waiters.add(waiter);
    state.poll ??= setInterval(() => look(parts, state), silence);
  });
}

/** Runs while somebody waits: silence is made up for by reading. */
function look(parts: ProgressParts, state: ProgressState): void {
  if (state.waiters.size === 0) {
    clearInterval(state.poll);
    state.poll = undefined;
    return;
  }
  const heardBefore = parts.clock.monotonic() - silence;
  // That one projection is busy says nothing about the one that is waited for.
  const isSilent = (name: string): boolean => (state.heard.get(name) ?? heardBefore) <= heardBefore;
  if (
    ![...state.waiters].some(({ names, position }) =>
      names.some((name) => isSilent(name) && !passed(state, [name], position)),
    )
  )
    return;
  refresh(parts, state).catch((error: unknown) =>
    parts.logger.warn({ error: describe(error) }, 'checkpoints could not be read'),
  );
}

function refresh(parts: ProgressParts, state: ProgressState): Promise<void> {
  state.reading ??= (async () => {
    try {
      const before = new Map(state.known);
      for (const [name, { epoch, position, state: status }] of await parts.consumers.read(parts.names)) {
        // What its owner has announced meanwhile is newer than what was read.
        const heard = state.known.get(name);
        if (heard !== undefined && heard !== before.get(name) && heard.epoch >= epoch) continue;
        // A checkpoint does not tell what changed: as far as it goes, everything may have.
        const changed = heard !== undefined && heard.at >= position ? heard.changed : position;
        learn(parts, state, { at: position, of: [{ name, epoch, state: status, changed }] });
      }
    } finally {
      state.reading = undefined;
    }
  })();
  return state.reading;
}
