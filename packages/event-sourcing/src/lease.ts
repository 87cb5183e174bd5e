import { type Broadcast } from './broadcast.js';
import { type Consumers, type Grip, type Standing } from './consumers.js';
import { type Logger, type StoreMetrics, describe } from './observe.js';
import { type Clock, pause } from './time.js';

/**
 * Which consumers this replica runs. A holder beats twice a second; who sees the same beat for 3 s by its own monotonic clock
 * takes over; a holder that could not beat for 2 s no longer counts itself as one. No wall clock is compared.
 */
export interface Lease {
  /** From now on leases are taken over, not only watched: everything has been declared and prepared. */
  compete(): void;
  /** What is held now; empty when the last beat is too old to be sure. */
  held(): readonly Grip[];
  holds(grip: Grip): boolean;
  stop(): Promise<void>;
}

export interface LeaseParts {
  consumers: Consumers;
  names: readonly string[];
  owner: string;
  /** Prefix of the subject on which a released lease is announced. */
  subject: string;
  broadcast: Broadcast;
  clock: Clock;
  logger: Logger;
  metrics: StoreMetrics;
  /** Called after each round with what is held. */
  changed(grips: readonly Grip[]): void;
}

const beatEvery = 500;
/** Between two rounds. */
const shortest = 20;
/** Who has seen the same beat for this long (ms, its own clock) takes over. */
export const staleAfter = 3000;
/** A holder that could not beat for this long no longer counts itself as one. */
export const sureFor = 2000;

interface LeaseState {
  competing: boolean;
  grips: Map<string, number>;
  sureUntil: number;
  seen: Map<string, { mark: string; since: number }>;
  stopped: AbortController;
  /** Somebody asked for a round that has not begun yet. */
  poked: boolean;
  wake: () => void;
}

/** Begins to watch the beats of `names`; those that are not declared yet are seen once they are. */
export function startLease(parts: LeaseParts): Lease {
  const state: LeaseState = { competing: false, grips: new Map(), sureUntil: 0, seen: new Map(), stopped: new AbortController(), poked: false, wake: () => undefined };
  const sure = (): boolean => parts.clock.monotonic() < state.sureUntil;
  const listening = parts.broadcast.subscribe(`${parts.subject}.released`, () => poke(state)).catch(() => undefined);
  const rounds = compete(parts, state);
  return {
    compete() {
      state.competing = true;
      poke(state);
    },
    held: () => (sure() ? gripsOf(state) : []),
    holds: ({ name, epoch }) => sure() && state.grips.get(name) === epoch,
    async stop() {
      state.stopped.abort();
      await rounds;
      (await listening)?.stop();
      await giveUp(parts, state);
    },
  };
}

function gripsOf(state: LeaseState): Grip[] {
  return [...state.grips].map(([name, epoch]) => ({ name, epoch }));
}

async function compete(parts: LeaseParts, state: LeaseState): Promise<void> {
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
    parts.changed(parts.clock.monotonic() < state.sureUntil ? gripsOf(state) : []);
    if (!state.poked) await rest(state, wait);
  }
}

/** Has the next round begin at once, or as soon as the present one is over. */
function poke(state: LeaseState): void {
  state.poked = true;
  state.wake();
}

function rest(state: LeaseState, ms: number): Promise<void> {
  return new Promise((resolve) => {
    state.wake = resolve;
    void pause(ms, state.stopped.signal).then(resolve);
  });
}

/** Half a second, less when a beat that stands still can be taken over sooner. */
function untilNext({ clock, names }: LeaseParts, { competing, grips, seen }: LeaseState): number {
  if (!competing) return beatEvery;
  const now = clock.monotonic();
  const due = names.flatMap((name) => (grips.has(name) ? [] : [(seen.get(name)?.since ?? now) + staleAfter - now]));
  return Math.max(shortest, Math.min(beatEvery, ...due));
}

async function round(parts: LeaseParts, state: LeaseState): Promise<void> {
  const asked = parts.clock.monotonic();
  const mine = [...state.grips.keys()];
  const beaten = mine.length === 0 ? 0 : await parts.consumers.beat(mine, parts.owner);
  const standings = await parts.consumers.read(parts.names);
  if (beaten < mine.length) dropLost(parts, state, standings);
  state.sureUntil = asked + sureFor;
  for (const name of state.seen.keys()) if (!standings.has(name)) state.seen.delete(name);
  for (const [name, standing] of standings) {
    if (state.grips.has(name) || state.stopped.signal.aborted) continue;
    if (!isFree(state, name, standing, asked) || !state.competing) continue;
    if (!(await parts.consumers.take(name, standing, parts.owner))) continue;
    state.grips.set(name, standing.epoch + 1);
    parts.metrics.lease?.(name, true);
  }
}

function dropLost(parts: LeaseParts, state: LeaseState, standings: ReadonlyMap<string, Standing>): void {
  for (const [name, epoch] of state.grips) {
    const now = standings.get(name);
    if (now !== undefined && now.owner === parts.owner && now.epoch === epoch) continue;
    state.grips.delete(name);
    parts.metrics.lease?.(name, false);
    parts.logger.warn({ consumer: name }, 'another replica has taken over');
  }
}

function isFree(state: LeaseState, name: string, standing: Standing, now: number): boolean {
  if (standing.owner === null) return true;
  const mark = `${standing.owner}/${standing.epoch}/${standing.beat}`;
  const seen = state.seen.get(name);
  if (seen === undefined || seen.mark !== mark) {
    state.seen.set(name, { mark, since: now });
    return false;
  }
  return now - seen.since >= staleAfter;
}

async function giveUp(parts: LeaseParts, state: LeaseState): Promise<void> {
  const names = [...state.grips.keys()];
  state.grips.clear();
  state.sureUntil = 0;
  if (names.length === 0) return;
  try {
    await parts.consumers.release(names, parts.owner);
    parts.broadcast.publish(`${parts.subject}.released`, new Uint8Array());
  } catch (error) {
    parts.logger.warn({ error: describe(error) }, 'leases could not be released; others take over in 3 s');
  }
}
