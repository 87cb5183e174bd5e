import { type Broadcast } from '../shared/broadcast.js';
import { type Consumers, type HeldLease, type ConsumerEntry } from './consumers.js';
import { type Logger, type StoreMetrics, describe } from '../shared/observe.js';
import { type Clock, pause } from '../shared/time.js';

/**
 * Which consumers this replica runs. A holder beats twice a second; who sees the same beat for 3 s by its own monotonic clock
 * takes over; a holder that could not beat for 2 s no longer counts itself as one. No wall clock is compared.
 */
export interface LeaseManager {
  /** From now on leases are taken over, not only watched: everything has been declared and prepared. */
  compete(): void;
  /** What is held now; empty when the last beat is too old to be sure. */
  held(): readonly HeldLease[];
  holds(lease: HeldLease): boolean;
  stop(): Promise<void>;
}

export interface LeaseManagerParts {
  consumers: Consumers;
  names: readonly string[];
  /** Whether this replica is able to run a consumer: another one may have taken it further than this one's code knows. */
  canRun?(name: string, entry: ConsumerEntry): boolean;
  owner: string;
  /** Prefix of the subject on which a released lease is announced. */
  subject: string;
  broadcast: Broadcast;
  clock: Clock;
  logger: Logger;
  metrics: StoreMetrics;
  /** Called after each round with what is held. */
  changed(heldLeases: readonly HeldLease[]): void;
}

const beatEvery = 500;
/** Between two rounds. */
const shortest = 20;
/** Who has seen the same beat for this long (ms, its own clock) takes over. */
export const staleAfter = 3000;
/** A holder that could not beat for this long no longer counts itself as one. */
export const sureFor = 2000;

interface ManagerState {
  competing: boolean;
  heldLeases: Map<string, number>;
  sureUntil: number;
  seen: Map<string, { mark: string; since: number }>;
  stopped: AbortController;
  /** Somebody asked for a round that has not begun yet. */
  poked: boolean;
  wake: () => void;
}

/** Begins to watch the beats of `names`; those that are not declared yet are seen once they are. */
export function startLeaseManager(parts: LeaseManagerParts): LeaseManager {
  const state: ManagerState = {
    competing: false,
    heldLeases: new Map(),
    sureUntil: 0,
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
    let wait = beatEvery;
    try {
      await round(parts, state);
      wait = untilNext(parts, state);
    } catch (error) {
      // What is due stays due: only a round that worked may be followed by an early one.
      parts.logger.warn({ error: describe(error) }, 'leases could not be looked after');
    }
    parts.changed(parts.clock.monotonic() < state.sureUntil ? heldLeasesOf(state) : []);
    if (!state.poked) await rest(state, wait);
  }
}

/** Has the next round begin at once, or as soon as the present one is over. */
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

/** Half a second, less when a beat that stands still can be taken over sooner. */
function untilNext({ clock, names }: LeaseManagerParts, { competing, heldLeases, seen }: ManagerState): number {
  if (!competing) return beatEvery;
  const now = clock.monotonic();
  const due = names.flatMap((name) =>
    heldLeases.has(name) ? [] : [(seen.get(name)?.since ?? now) + staleAfter - now],
  );
  return Math.max(shortest, Math.min(beatEvery, ...due));
}

async function round(parts: LeaseManagerParts, state: ManagerState): Promise<void> {
  const asked = parts.clock.monotonic();
  const mine = [...state.heldLeases.keys()];
  const beaten = mine.length === 0 ? 0 : await parts.consumers.beat(mine, parts.owner);
  const entries = await parts.consumers.read(parts.names);
  if (beaten < mine.length) dropLost(parts, state, entries);
  state.sureUntil = asked + sureFor;
  for (const name of state.seen.keys()) if (!entries.has(name)) state.seen.delete(name);
  for (const [name, entry] of entries) {
    if (state.heldLeases.has(name) || state.stopped.signal.aborted) continue;
    if (parts.canRun?.(name, entry) === false) {
      state.seen.delete(name);
      continue;
    }
    if (!isFree(state, name, entry, asked) || !state.competing) continue;
    if (!(await parts.consumers.take(name, entry, parts.owner))) continue;
    state.heldLeases.set(name, entry.epoch + 1);
    parts.metrics.lease?.(name, true);
  }
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

function isFree(state: ManagerState, name: string, entry: ConsumerEntry, now: number): boolean {
  if (entry.owner === null) return true;
  const mark = `${entry.owner}/${entry.epoch}/${entry.beat}`;
  const seen = state.seen.get(name);
  if (seen === undefined || seen.mark !== mark) {
    state.seen.set(name, { mark, since: now });
    return false;
  }
  return now - seen.since >= staleAfter;
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
