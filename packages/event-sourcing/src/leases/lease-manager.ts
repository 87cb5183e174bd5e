import { type Broadcast } from '../process/broadcast.js';
import { type Consumers, type HeldLease, type ConsumerEntry } from './consumers.js';
import { type Logger, type StoreMetrics, describe } from '../process/observe.js';
import { type Clock, pause, untilBeat } from '../process/time.js';

/**
 * Decides which consumers this replica runs. A holder sends a heartbeat twice a second, with one of its leases for all
 * of them. A replica that sees no new heartbeat for 3 s takes its leases over. A holder that could not send one for 2 s
 * no longer relies on them, and sends the next one with each: a lease that is taken over is not as it was seen then.
 * Each replica measures with its own monotonic clock; no wall clocks are compared.
 */
export interface LeaseManager {
  /** From now on leases are taken, and not only watched. Call it when everything is declared and prepared. */
  compete(): void;
  /** The leases that are held now. Empty when the last heartbeat is too old to be sure. */
  held(): readonly HeldLease[];
  holds(lease: HeldLease): boolean;
  stop(): Promise<void>;
}

export interface LeaseManagerParts {
  consumers: Consumers;
  names: readonly string[];
  /**
   * Whether this replica can run a consumer. A newer version may have processed event types that this one does not
   * know.
   */
  canRun?(name: string, entry: ConsumerEntry): boolean;
  owner: string;
  /** Prefix of the subject on which released leases are announced. */
  subject: string;
  broadcast: Broadcast;
  clock: Clock;
  logger: Logger;
  metrics: StoreMetrics;
  /** Called after each round with the held leases. */
  changed(heldLeases: readonly HeldLease[]): void;
}

const beatEvery = 500;
/** Each so many-th heartbeat is sent with all leases, which tells which were lost. */
const allEvery = 5;
/** The shortest time between two rounds, in ms. */
const shortest = 20;
/** A replica that has seen no new heartbeat for this long (ms, by its own clock) takes over. */
export const staleAfter = 3000;
/** A holder that could not send a heartbeat for this long (ms) no longer relies on its leases. */
export const sureFor = 2000;

interface SeenOwner {
  /** Its last heartbeats by lease. */
  beats: Map<string, string>;
  /** When the last new one was seen. */
  since: number;
  /** Whether it has a lease of what this replica can run. */
  hasRunnable: boolean;
}

interface ManagerState {
  competing: boolean;
  heldLeases: Map<string, number>;
  sureUntil: number;
  /** Heartbeats that were sent. */
  beats: number;
  /** The other owners of leases. */
  seen: ReadonlyMap<string, SeenOwner>;
  stopped: AbortController;
  /** Whether a round was requested that has not begun. */
  poked: boolean;
  wake: () => void;
}

/** Begins to watch the heartbeats of `names`. Consumers that are declared later are seen then. */
export function startLeaseManager(parts: LeaseManagerParts): LeaseManager {
  const state: ManagerState = {
    competing: false,
    heldLeases: new Map(),
    sureUntil: 0,
    beats: 0,
    seen: new Map(),
    stopped: new AbortController(),
    poked: false,
    wake: () => undefined,
  };
  const sure = (): boolean => parts.clock.monotonic() < state.sureUntil;
  const listening = parts.broadcast.subscribe(`${parts.subject}.released`, () => poke(state)).catch(() => undefined);
  const rounds = compete(parts, state);
  return {
    compete() {
      state.competing = true;
      poke(state);
    },
    held: () => (sure() ? heldLeasesOf(state) : []),
    holds: ({ name, epoch }) => sure() && state.heldLeases.get(name) === epoch,
    async stop() {
      state.stopped.abort();
      await rounds;
      (await listening)?.stop();
      await giveUp(parts, state);
    },
  };
}

function heldLeasesOf(state: ManagerState): HeldLease[] {
  return [...state.heldLeases].map(([name, epoch]) => ({ name, epoch }));
}

async function compete(parts: LeaseManagerParts, state: ManagerState): Promise<void> {
  while (!state.stopped.signal.aborted) {
    state.poked = false;
    let wait = untilBeat(beatEvery);
    try {
      await round(parts, state);
      wait = untilNext(parts, state);
    } catch (error) {
      parts.logger.warn({ error: describe(error) }, 'leases could not be renewed');
    }
    parts.changed(parts.clock.monotonic() < state.sureUntil ? heldLeasesOf(state) : []);
    if (!state.poked) await rest(state, wait);
  }
}

/** Starts the next round now, or at the end of the present one. */
function poke(state: ManagerState): void {
  state.poked = true;
  state.wake();
}

function rest(state: ManagerState, ms: number): Promise<void> {
  return new Promise((resolve) => {
    state.wake = resolve;
    void pause(ms, state.stopped.signal).then(resolve);
  });
}

/** Half a second, or less if a lease without a new heartbeat can be taken over sooner. */
function untilNext(parts: LeaseManagerParts, state: ManagerState): number {
  if (!state.competing || holdsAll(parts, state)) return untilBeat(beatEvery);
  const now = parts.clock.monotonic();
  const due = [...state.seen.values()].flatMap(({ since, hasRunnable }) =>
    hasRunnable ? [since + staleAfter - now] : [],
  );
  return Math.max(shortest, Math.min(untilBeat(beatEvery), ...due));
}

async function round(parts: LeaseManagerParts, state: ManagerState): Promise<void> {
  const asked = parts.clock.monotonic();
  const keepsAll = await beat(parts, state, asked);
  if (keepsAll && holdsAll(parts, state)) {
    state.sureUntil = asked + sureFor;
    return;
  }
  const entries = await parts.consumers.read(parts.names);
  if (!keepsAll) dropLost(parts, state, entries);
  state.sureUntil = asked + sureFor;
  watch(parts, state, entries, asked);
  if (!state.competing || state.stopped.signal.aborted) return;
  const free = new Map([...entries].filter(([name, entry]) => isToTake(parts, state, { name, entry, asked })));
  if (free.size === 0) return;
  for (const name of await parts.consumers.takeAll(free, parts.owner)) {
    state.heldLeases.set(name, (free.get(name)?.epoch ?? 0) + 1);
    parts.metrics.lease?.(name, true);
  }
}

/** Sends a heartbeat. Returns whether this replica still has all the leases with which it was sent. */
async function beat(parts: LeaseManagerParts, state: ManagerState, now: number): Promise<boolean> {
  const mine = [...state.heldLeases.keys()];
  const isForAll = now >= state.sureUntil || state.beats % allEvery === 0;
  state.beats += 1;
  const beaten = isForAll ? mine : mine.slice(0, 1);
  return beaten.length === 0 || (await parts.consumers.beat(beaten, parts.owner)) === beaten.length;
}

/** Notes when each other owner was seen to be alive: it has sent a heartbeat, or taken another lease. */
function watch(
  parts: LeaseManagerParts,
  state: ManagerState,
  entries: ReadonlyMap<string, ConsumerEntry>,
  now: number,
): void {
  const seen = new Map<string, SeenOwner>();
  for (const [name, entry] of entries) {
    const { owner, epoch, beat: count } = entry;
    if (owner === null || owner === parts.owner) continue;
    const last = state.seen.get(owner);
    const found = seen.get(owner) ?? { beats: new Map(), since: last?.since ?? now, hasRunnable: false };
    const mark = `${epoch}/${count}`;
    if (last?.beats.get(name) !== mark) found.since = now;
    found.beats.set(name, mark);
    found.hasRunnable ||= canRun(parts, name, entry);
    seen.set(owner, found);
  }
  state.seen = seen;
}

function canRun(parts: LeaseManagerParts, name: string, entry: ConsumerEntry): boolean {
  return parts.canRun?.(name, entry) !== false;
}

/**
 * Whether this replica can run a consumer and nobody has its lease for sure. A lease that this replica has without
 * knowing it, since it heard no answer when it took it, is its own to take again.
 */
function isToTake(
  parts: LeaseManagerParts,
  { heldLeases, seen }: ManagerState,
  { name, entry, asked }: { name: string; entry: ConsumerEntry; asked: number },
): boolean {
  if (heldLeases.has(name) || !canRun(parts, name, entry)) return false;
  if (entry.owner === null || entry.owner === parts.owner) return true;
  return asked - (seen.get(entry.owner)?.since ?? asked) >= staleAfter;
}

/** Then there is nothing to read: no other replica has a lease that could be taken over. */
function holdsAll({ names }: LeaseManagerParts, { heldLeases }: ManagerState): boolean {
  return names.every((name) => heldLeases.has(name));
}

function dropLost(parts: LeaseManagerParts, state: ManagerState, entries: ReadonlyMap<string, ConsumerEntry>): void {
  for (const [name, epoch] of state.heldLeases) {
    const now = entries.get(name);
    if (now !== undefined && now.owner === parts.owner && now.epoch === epoch) continue;
    state.heldLeases.delete(name);
    parts.metrics.lease?.(name, false);
    parts.logger.warn({ consumer: name }, 'another replica has taken over');
  }
}

async function giveUp(parts: LeaseManagerParts, state: ManagerState): Promise<void> {
  const names = [...state.heldLeases.keys()];
  state.heldLeases.clear();
  state.sureUntil = 0;
  if (names.length === 0) return;
  try {
    await parts.consumers.release(names, parts.owner);
    parts.broadcast.publish(`${parts.subject}.released`, new Uint8Array());
  } catch (error) {
    parts.logger.warn({ error: describe(error) }, 'leases could not be released; others take over in 3 s');
  }
}
