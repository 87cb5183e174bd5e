import { setTimeout as delay } from 'node:timers/promises';
import { pause, untilBeat } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { anyDevMode } from '../dev-mode/index.js';
import { isForWebhook, slots, type AnyDelivery, type Planner } from '../outbox/index.js';
import type { After, Deliverer } from './deliver.process.js';
import { LaneLeases, plannerLease } from './lane-leases.process.js';
import type { WebhookDeliverer } from './deliver-webhook.process.js';
import type { DispatchMetrics } from './metrics.process.js';
import { isOfWebhooks, nextFor } from './next-delivery.queries.js';
import { everything, Pauses } from './pauses.js';
import { sweepDeliveries } from './sweep.process.js';
import { findWaiting, isAnythingQueued, type Waiting } from './waiting.queries.js';

export interface DispatcherParts {
  context: ServiceContext;
  planner: Planner;
  deliverer: Deliverer;
  webhooks: WebhookDeliverer;
  metrics: DispatchMetrics;
  /** The number of lanes. */
  lanes: number;
  /** Whether there is a runtime; without one all waits but what developers and webhooks get. */
  hasRuntime: boolean;
}

/** An installation to which something is delivered at the moment. */
interface Busy {
  lane: string;
  slot: number;
  integration: string;
  organization: string;
}

/** What happens within this time is planned together. */
const planAgainAfterMs = 50;
const pumpEveryMs = 200;
/** The same of a replica that plans and has all lanes: what it plans it delivers without a look. */
const pumpAloneEveryMs = 1_000;
const perIntegration = 8;
/** Scripts of one organization that are slow leave room for those of others. */
const perOrganization = 16;
const perReplica = 64;
/** Receivers of webhooks that are slow leave room for scripts. */
const webhooksAtOnce = 32;
/** Deliveries that are looked at together. */
const looked = 500;
/** Installations that are remembered while they wait for others. What is forgotten is found by the next look. */
const mostReady = 500;
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
  readonly #pauses = new Pauses();
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
    const { signal } = this.#stopped;
    this.#loops = [
      this.#repeat(
        () => this.#plan(),
        () => pause(planAgainAfterMs, signal).then(() => this.#parts.planner.rest(signal)),
      ),
      this.#repeat(
        () => this.#pump(),
        () => pause(this.#untilPump(), signal, (wake) => (this.#wake = wake)),
      ),
    ];
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

  async #repeat(work: () => Promise<void>, rest: () => Promise<void>): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await work().catch((err: unknown) => this.#parts.context.logger.warn({ err }, 'deliveries stand still'));
      await rest();
    }
  }

  #untilPump(): number {
    const isAlone = this.#leases.holds(plannerLease) && this.#heldSlots().lanes === this.#parts.lanes;
    if (!isAlone) return pumpEveryMs;
    // What is paused is found by a look at the end of the pause.
    return Math.max(pumpEveryMs, Math.min(untilBeat(pumpAloneEveryMs), this.#pauses.untilNext()));
  }

  async #plan(): Promise<void> {
    const { planner, context, metrics } = this.#parts;
    const holds = () => this.#leases.holds(plannerLease) && !this.#stopped.signal.aborted;
    metrics.lanes('all', this.#parts.lanes);
    metrics.lanes('held', this.#heldSlots().lanes);
    if (!holds()) return;
    const listener = {
      planned: (planned: readonly AnyDelivery[]) => {
        // Without a runtime, it is looked up who takes what.
        if (this.#parts.hasRuntime) this.#offer(planned);
        else if (planned.length > 0) this.poke();
      },
      paused: () => metrics.paused('queue_full'),
    };
    while (await planner.step(holds, listener));
    await planner.removeOld(holds);
    await sweepDeliveries(context, metrics, holds);
  }

  #heldSlots(): { lanes: number; slots: number[] } {
    const { lanes } = this.#parts;
    const held = Array.from({ length: lanes }, (_, lane) => lane).filter((lane) =>
      this.#leases.holds(laneName(lane, lanes)),
    );
    const all = Array.from({ length: 2 * slots }, (_, slot) => slot).filter((slot) => held.includes(slot % lanes));
    return { lanes: held.length, slots: all };
  }

  /** Whether anybody takes deliveries: a runtime, or a developer. */
  async #hasTakers(): Promise<boolean> {
    const { hasRuntime, context } = this.#parts;
    if (hasRuntime) return true;
    const operation = 'find_developers';
    const actor = { kind: 'system', id: operation };
    return anyDevMode({ store: context.store.scope({ actor, organization: null, operation, correlation: operation }) });
  }

  /** Begins with the installations for which something waits. */
  async #pump(): Promise<void> {
    const { slots: held } = this.#heldSlots();
    const areScriptsCalled = !this.#pauses.has(everything) && (await this.#hasTakers());
    const mine = held.filter((slot) => areScriptsCalled || isOfWebhooks(slot));
    if (mine.length === 0 || !(await isAnythingQueued(this.#parts.context, mine))) return;
    const skipped = new Set([...this.#busy.keys(), ...this.#pauses.names()]);
    while (this.#busy.size < perReplica && !this.#stopped.signal.aborted) {
      const found = await findWaiting(this.#parts.context, { slots: mine, skipped: [...skipped], limit: looked });
      for (const { installation } of found) skipped.add(installation);
      this.#offer(found);
      if (found.length < looked) return;
    }
  }

  /** Begins with installations whose lanes are held here, and with others when these are done. */
  #offer(waiting: readonly Waiting[]): void {
    for (const { installation, integration, organization, slot } of waiting)
      if (this.#hasPlace(slot) && this.#leases.holds(this.#laneOf(slot)))
        this.#ready.set(installation, { installation, integration, organization, slot });
    this.#beginReady();
  }

  /** Whether one more may wait for its turn. Webhooks that are slow take no place of installations. */
  #hasPlace(slot: number): boolean {
    const isWebhook = isOfWebhooks(slot);
    return [...this.#ready.values()].filter((one) => isOfWebhooks(one.slot) === isWebhook).length < mostReady;
  }

  #beginReady(): void {
    if (this.#stopped.signal.aborted) return;
    for (const one of this.#ready.values()) {
      if (this.#busy.size >= perReplica) return;
      if (isOfWebhooks(one.slot) || !this.#pauses.has(everything)) this.#begin(one);
    }
  }

  #laneOf(slot: number): string {
    return laneName(slot % this.#parts.lanes, this.#parts.lanes);
  }

  #begin({ installation, integration, organization, slot }: Waiting): void {
    // What is paused is found by a look when the pause is over.
    if (this.#pauses.has(integration) || this.#pauses.has(installation)) return void this.#ready.delete(installation);
    if (this.#busy.has(installation)) return;
    const all = [...this.#busy.values()];
    if (all.filter((one) => one.integration === integration).length >= perIntegration) return;
    if (all.filter((one) => one.organization === organization).length >= perOrganization) return;
    if (isOfWebhooks(slot) && all.filter((one) => isOfWebhooks(one.slot)).length >= webhooksAtOnce) return;
    this.#ready.delete(installation);
    const lane = this.#laneOf(slot);
    this.#busy.set(installation, { lane, slot, integration, organization });
    const work = this.#serve({ installation, slot }, lane)
      .catch((err: unknown) => {
        this.#parts.context.logger.warn({ err, installation }, 'a delivery was interrupted');
        this.#pauses.set(installation, 1_000);
      })
      .finally(() => {
        this.#busy.delete(installation);
        this.#working.delete(work);
        this.#beginReady();
      });
    this.#working.add(work);
  }

  /** Delivers what waits for an installation or webhook, one after the other. */
  async #serve(of: Pick<Waiting, 'installation' | 'slot'>, lane: string): Promise<void> {
    const { context, deliverer, webhooks } = this.#parts;
    for (;;) {
      if (!this.#leases.holds(lane) || this.#stopped.signal.aborted) return;
      const began = performance.now();
      const next = await nextFor(context, of);
      if (next === undefined) return;
      const early = next.nextAt - context.now();
      if (early > 0) return void (isForWebhook(next) || this.#pauses.set(of.installation, early));
      const has = () => this.#leases.has(lane);
      const after = await (isForWebhook(next) ? webhooks.deliver(next, has) : deliverer.deliver(next, has));
      if (!this.#goOn(after, next)) return;
      await delay(Math.max(0, betweenMs - (performance.now() - began)));
    }
  }

  #goOn(after: After, { installation, integration, slot }: AnyDelivery): boolean {
    const names = { installation, integration, all: everything };
    if (after.kind === 'pause') this.#pauses.set(names[after.of], after.ms);
    return after.kind === 'next' && (isOfWebhooks(slot) || !this.#pauses.has(everything));
  }
}

function laneName(lane: number, of: number): string {
  return `lane-${lane}-of-${of}`;
}
