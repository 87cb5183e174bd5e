import type { ServiceContext } from '@scriptorium/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { anyDevMode } from '../dev-mode/index.js';
import { deliveries, slots, type Delivery, type Planner } from '../outbox/index.js';
import type { After, Deliverer } from './deliver.process.js';
import { LaneLeases, plannerLease } from './lane-leases.process.js';
import type { DispatchMetrics } from './metrics.process.js';
import { sweepDeliveries } from './sweep.process.js';

export interface DispatcherParts {
  context: ServiceContext;
  planner: Planner;
  deliverer: Deliverer;
  metrics: DispatchMetrics;
  /** The number of lanes. */
  lanes: number;
  /** Whether there is a runtime; without one everything waits but what developers get. */
  hasRuntime: boolean;
}

/** An installation for which something waits. */
type Waiting = Pick<Delivery, 'installation' | 'integration' | 'slot'>;

/** An installation to which something is delivered at the moment. */
interface Busy {
  lane: string;
  integration: string;
}

const planEveryMs = 50;
const pumpEveryMs = 200;
const perIntegration = 8;
const perReplica = 64;
/** Deliveries that are looked at together. */
const looked = 500;
/** Installations that are remembered while they wait for others. What is forgotten is found by the next look. */
const mostReady = 1_000;
/** Among what is left alone: everything. */
const everything = '*';
/** The least time between two starts for one installation, ms. */
const betweenMs = 20;
const stopWithinMs = 1_500;

/**
 * Plans and delivers, as far as this replica has the leases for it. Installations are served side by side, and what is
 * delivered to one of them in the order of the log.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #leases: LaneLeases;
  readonly #busy = new Map<string, Busy>();
  readonly #working = new Set<Promise<void>>();
  /** Installations for which something waits, by id, as far as this process knows without looking. */
  readonly #ready = new Map<string, Waiting>();
  /** Until when an installation or integration is left alone, by the clock of this process. */
  readonly #pauses = new Map<string, number>();
  readonly #stopped = new AbortController();
  #loops: Promise<void>[] = [];
  #wake: () => void = () => undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#leases = new LaneLeases({
      context: parts.context,
      lanes: Array.from({ length: parts.lanes }, (_, lane) => laneName(lane, parts.lanes)),
      isBusy: (lane) => [...this.#busy.values()].some((one) => one.lane === lane),
    });
  }

  async start(): Promise<void> {
    await this.#leases.start();
    this.#loops = [this.#repeat(planEveryMs, () => this.#plan()), this.#repeat(pumpEveryMs, () => this.#pump())];
  }

  /** Begins nothing more, and waits a little for what is under way. What is not recorded is delivered again. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#wake();
    await Promise.all(this.#loops);
    await Promise.race([Promise.all(this.#working), delay(stopWithinMs, undefined, { ref: false })]);
    await this.#leases.stop();
  }

  /** Looks for deliveries now. */
  poke(): void {
    this.#wake();
  }

  async #repeat(everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await work().catch((err: unknown) => this.#parts.context.logger.warn({ err }, 'deliveries stand still'));
      await this.#rest(everyMs, everyMs === pumpEveryMs);
    }
  }

  async #rest(ms: number, isPoked: boolean): Promise<void> {
    const poked = new AbortController();
    if (isPoked) this.#wake = () => poked.abort();
    const signal = AbortSignal.any([this.#stopped.signal, poked.signal]);
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }

  async #plan(): Promise<void> {
    const { planner, context, metrics } = this.#parts;
    const holds = () => this.#leases.holds(plannerLease) && !this.#stopped.signal.aborted;
    metrics.lanes('all', this.#parts.lanes);
    metrics.lanes('held', this.#heldSlots().lanes);
    if (!holds()) return;
    for (;;) {
      const planned = await planner.step(holds, () => metrics.paused('queue_full'));
      if (planned === undefined) break;
      // Without a runtime, it is looked up who takes what.
      if (this.#parts.hasRuntime) this.#offer(planned);
      else if (planned.length > 0) this.poke();
    }
    await sweepDeliveries(context, metrics);
  }

  #heldSlots(): { lanes: number; slots: number[] } {
    const { lanes } = this.#parts;
    const held = Array.from({ length: lanes }, (_, lane) => lane).filter((lane) =>
      this.#leases.holds(laneName(lane, lanes)),
    );
    const all = Array.from({ length: slots }, (_, slot) => slot).filter((slot) => held.includes(slot % lanes));
    return { lanes: held.length, slots: all };
  }

  /** Whether anybody takes deliveries: a runtime, or a developer. */
  async #hasTakers(): Promise<boolean> {
    const { hasRuntime, context } = this.#parts;
    if (hasRuntime) return true;
    const operation = 'find_developers';
    const actor = { kind: 'system', id: operation };
    const store = context.store.scope({ actor, organization: null, operation, correlation: operation });
    return anyDevMode({ store });
  }

  /** Begins with the installations for which something waits. */
  async #pump(): Promise<void> {
    const { slots: mine } = this.#heldSlots();
    this.#forgetPauses();
    if (mine.length === 0 || this.#pauses.has(everything) || !(await this.#hasTakers())) return;
    const skipped = new Set([...this.#busy.keys(), ...this.#pauses.keys()]);
    while (this.#busy.size < perReplica && !this.#stopped.signal.aborted) {
      const found = await this.#waiting(mine, [...skipped]);
      for (const { installation } of found) skipped.add(installation);
      this.#offer(found);
      if (found.length < looked) return;
    }
  }

  /** Begins with installations whose lanes are held here, and with others when these are done. */
  #offer(waiting: readonly Waiting[]): void {
    for (const { installation, integration, slot } of waiting)
      if (this.#ready.size < mostReady && this.#leases.holds(this.#laneOf(slot)))
        this.#ready.set(installation, { installation, integration, slot });
    this.#beginReady();
  }

  #beginReady(): void {
    this.#forgetPauses();
    if (this.#stopped.signal.aborted || this.#pauses.has(everything)) return;
    for (const one of this.#ready.values()) {
      if (this.#busy.size >= perReplica) return;
      this.#begin(one);
    }
  }

  #waiting(mine: number[], skipped: string[]): Promise<Waiting[]> {
    const { context } = this.#parts;
    const due = { state: 'queued' as const, slot: { $in: mine }, nextAt: { $lte: context.now() } };
    return deliveries(context)
      .find({ ...due, installation: { $nin: skipped } })
      .project<Waiting>({ installation: 1, integration: 1, slot: 1 })
      .limit(looked)
      .toArray();
  }

  #laneOf(slot: number): string {
    return laneName(slot % this.#parts.lanes, this.#parts.lanes);
  }

  #begin({ installation, integration, slot }: Waiting): void {
    // What is paused is found by a look when the pause is over.
    if (this.#pauses.has(integration) || this.#pauses.has(installation)) return void this.#ready.delete(installation);
    const others = [...this.#busy.values()].filter((one) => one.integration === integration);
    if (others.length >= perIntegration || this.#busy.has(installation)) return;
    this.#ready.delete(installation);
    const lane = this.#laneOf(slot);
    this.#busy.set(installation, { lane, integration });
    const work = this.#serve(installation, lane)
      .catch((err: unknown) => {
        this.#parts.context.logger.warn({ err, installation }, 'a delivery was interrupted');
        this.#pauses.set(installation, performance.now() + 1_000);
      })
      .finally(() => {
        this.#busy.delete(installation);
        this.#working.delete(work);
        this.#beginReady();
      });
    this.#working.add(work);
  }

  /** Delivers what waits for an installation, one after the other. */
  async #serve(installation: string, lane: string): Promise<void> {
    const { context, deliverer } = this.#parts;
    for (;;) {
      if (!this.#leases.holds(lane) || this.#stopped.signal.aborted) return;
      const began = performance.now();
      const [next] = await deliveries(context)
        .find({ installation, state: 'queued' })
        .sort({ position: 1, rank: 1, _id: 1 })
        .limit(1)
        .toArray();
      if (next === undefined) return;
      const early = next.nextAt - context.now();
      if (early > 0) return void this.#pauses.set(installation, performance.now() + early);
      const after = await deliverer.deliver(next, () => this.#leases.has(lane));
      if (!this.#goOn(after, next)) return;
      await delay(Math.max(0, betweenMs - (performance.now() - began)));
    }
  }

  #goOn(after: After, { installation, integration }: Delivery): boolean {
    const names = { installation, integration, all: everything };
    if (after.kind === 'pause') this.#pauses.set(names[after.of], performance.now() + after.ms);
    return after.kind === 'next' && !this.#pauses.has(everything);
  }

  #forgetPauses(): void {
    const now = performance.now();
    for (const [name, until] of this.#pauses) if (until <= now) this.#pauses.delete(name);
  }
}

function laneName(lane: number, of: number): string {
  return `lane-${lane}-of-${of}`;
}
