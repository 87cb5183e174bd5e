import { randomUUID } from 'node:crypto';
import { untilBeat } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import {
  beatLanes,
  declareLane,
  readLanes,
  releaseLanes,
  removeReplica,
  takeLane,
  type LaneDocument,
} from './lanes.operational.js';

/** The lease of the planner, which one replica has whatever lanes it has. */
export const plannerLease = 'planner';

interface Parts {
  context: Pick<ServiceContext, 'database'> & { logger: Pick<ServiceContext['logger'], 'warn'> };
  /** The leases that replicas share evenly. */
  lanes: readonly string[];
  /** Whether work of a lane is under way, which is finished before another replica gets it. */
  isBusy(lane: string): boolean;
}

const beatEveryMs = 500;
/** A replica that has all leases looks for other replicas at every fifth heartbeat. */
const lookEvery = 5;
/** A replica that sees no new heartbeat for so long takes over. */
const staleAfterMs = 3_000;
/** An owner that could not send one for so long does not rely on its leases. */
const sureForMs = 2_000;

/**
 * Leases of lanes. Owners send heartbeats, and each replica measures with its own monotonic clock. Replicas that have
 * more than their share give lanes back when their work is finished.
 */
export class LaneLeases {
  readonly owner = randomUUID();
  readonly #parts: Parts;
  readonly #held = new Set<string>();
  readonly #leaving = new Set<string>();
  #seen = new Map<string, { mark: string; since: number }>();
  #sureUntil = 0;
  /** Heartbeats that were sent. */
  #beats = 0;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether this replica has a lease for sure, and may begin work under it. */
  holds(name: string): boolean {
    return this.#held.has(name) && !this.#leaving.has(name) && performance.now() < this.#sureUntil;
  }

  /** Whether it has a lease for sure, though it may be about to give it back. */
  has(name: string): boolean {
    return this.#held.has(name) && performance.now() < this.#sureUntil;
  }

  async start(): Promise<void> {
    for (const name of [plannerLease, ...this.#parts.lanes]) await declareLane(this.#parts.context, name);
    this.#next(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#round;
    const names = [...this.#held];
    this.#held.clear();
    try {
      await releaseLanes(this.#parts.context, this.owner, names);
      await removeReplica(this.#parts.context, this.owner);
    } catch (err) {
      this.#parts.context.logger.warn({ err }, 'lanes could not be released; others take over in 3 s');
    }
  }

  #next(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      // Never later than after the usual time, however long this round takes: the leases are sure for 2 s alone.
      this.#round = this.#run().finally(() => this.#next(Math.min(untilBeat(beatEveryMs), beatEveryMs)));
    }, afterMs);
  }

  async #run(): Promise<void> {
    const { context } = this.#parts;
    try {
      const asked = performance.now();
      this.#beats += 1;
      const kept = await beatLanes(context, this.owner);
      if (this.#hasAll && kept === this.#held.size && this.#beats % lookEvery !== 0) {
        this.#sureUntil = asked + sureForMs;
        return;
      }
      const docs = await readLanes(context);
      this.#dropLost(docs);
      this.#sureUntil = asked + sureForMs;
      this.#look(docs, asked);
      await this.#share(docs, asked);
    } catch (err) {
      context.logger.warn({ err }, 'lanes could not be renewed');
    }
  }

  /** Whether it has all leases and keeps them. Then there is nothing to read until another replica comes. */
  get #hasAll(): boolean {
    return this.#leaving.size === 0 && this.#held.size === this.#parts.lanes.length + 1;
  }

  #dropLost(docs: readonly LaneDocument[]): void {
    for (const { _id, owner } of docs)
      if (owner !== this.owner && this.#held.delete(_id)) {
        this.#leaving.delete(_id);
        this.#parts.context.logger.warn({ lane: _id }, 'another replica has taken over');
      }
  }

  #look(docs: readonly LaneDocument[], now: number): void {
    const seen = new Map<string, { mark: string; since: number }>();
    for (const { _id, owner, epoch, beat } of docs) {
      const mark = `${owner}/${epoch}/${beat}`;
      const before = this.#seen.get(_id);
      seen.set(_id, before?.mark === mark ? before : { mark, since: now });
    }
    this.#seen = seen;
  }

  #isStale({ _id }: LaneDocument, now: number): boolean {
    return now - (this.#seen.get(_id)?.since ?? now) >= staleAfterMs;
  }

  /** A lease that this replica has without knowing it, since it heard no answer when it took it, is its own to take. */
  #isToTake(doc: LaneDocument, now: number): boolean {
    if (this.#held.has(doc._id)) return false;
    return doc.owner === null || doc.owner === this.owner || this.#isStale(doc, now);
  }

  async #share(docs: readonly LaneDocument[], now: number): Promise<void> {
    const { context, lanes } = this.#parts;
    const replicas = docs.filter(({ isReplica }) => isReplica);
    for (const { owner, ...one } of replicas)
      if (owner !== null && this.#isStale({ owner, ...one }, now)) await removeReplica(context, owner);
    const alive = replicas.filter((one) => !this.#isStale(one, now)).length;
    const share = Math.ceil(lanes.length / Math.max(alive, 1));
    for (const doc of docs) {
      const isFree = !doc.isReplica && this.#isToTake(doc, now);
      if (!isFree || this.#isStopped || (doc._id !== plannerLease && this.#count() >= share)) continue;
      if (doc._id !== plannerLease && !lanes.includes(doc._id)) continue;
      if (await takeLane(context, doc, this.owner)) this.#held.add(doc._id);
    }
    await this.#giveBack(share);
  }

  /** The number of lanes that it has and keeps. */
  #count(): number {
    return [...this.#held].filter((name) => name !== plannerLease && !this.#leaving.has(name)).length;
  }

  async #giveBack(share: number): Promise<void> {
    for (const name of this.#held) if (this.#count() > share && name !== plannerLease) this.#leaving.add(name);
    const done = [...this.#leaving].filter((name) => !this.#parts.isBusy(name));
    await releaseLanes(this.#parts.context, this.owner, done);
    for (const name of done) {
      this.#held.delete(name);
      this.#leaving.delete(name);
    }
  }
}
