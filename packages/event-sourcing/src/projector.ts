import { createCheckpoints } from './checkpoints.js';
import { type Grip, type Standing } from './consumers.js';
import { createDocumentCache } from './document-cache.js';
import { type Held } from './fold-batch.js';
import { type Engine, type Lane, type Member, type ProjectorParts } from './engine.js';
import { runLane } from './lane.js';
import { type Lease } from './lease.js';
import { describe } from './observe.js';
import { type AnyProjection } from './projection.js';
import { entityPrefix, projectedPrefixes } from './streams.js';

/** What each projection keeps of its documents in memory. */
const [cachedDocuments, cachedBytes] = [2000, 8 * 1024 * 1024];

/** A document, and the position of the last event in it. */
export type Written = Readonly<Pick<Held, 'doc' | 'at'>>;

/** Runs the projections whose leases this replica holds. */
export interface Projector {
  /** Tells what is held now; starts and stops accordingly. */
  changed(grips: readonly Grip[], lease: Pick<Lease, 'holds'>): Promise<void>;
  /**
   * A document (`null`: removed) that this replica has written itself, is remembered, and cannot have been written by another
   * since: it holds the projection's lease. `undefined`: the database has to be asked.
   */
  written(collection: string, id: string): Written | undefined;
  /** Why a projection of this replica does not go on at the moment, by collection. */
  trouble(): ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export function createProjector(parts: ProjectorParts): Projector {
  const engine: Engine = {
    parts,
    lease: { holds: () => false },
    members: new Map(),
    live: undefined,
    lanes: new Set(),
    checkpoints: createCheckpoints(parts),
  };
  let last: Promise<void> = Promise.resolve();
  let stopped = false;
  return {
    changed(grips, lease) {
      engine.lease = lease;
      // The lease is given up after the work has stopped: its last rounds must not begin any.
      last = last.then(() => (stopped ? undefined : adapt(engine, grips))).catch((error: unknown) => parts.logger.warn({ error: describe(error) }, 'projections could not be started'));
      return last;
    },
    written: (collection, id) => writtenBy(engine, collection, id),
    trouble: () => new Map([...engine.lanes].flatMap((lane) => (lane.trouble === undefined ? [] : [...lane.members.keys()].map((name) => [name, lane.trouble ?? ''] as const)))),
    async stop() {
      stopped = true;
      await last;
      await Promise.all([...engine.lanes].map((lane) => lane.stop()));
      await engine.checkpoints.flush(engine.members.values());
      engine.members.clear();
    },
  };
}

function writtenBy({ members, lease }: Engine, collection: string, id: string): Written | undefined {
  const member = members.get(collection);
  if (member === undefined || member.state !== 'live' || !lease.holds(member.grip)) return undefined;
  return member.target.cache.get(id);
}

async function adapt(engine: Engine, grips: readonly Grip[]): Promise<void> {
  const epochs = new Map(grips.map(({ name, epoch }) => [name, epoch]));
  for (const [name, member] of engine.members) {
    if (epochs.get(name) === member.grip.epoch) continue;
    for (const lane of engine.lanes) lane.members.delete(name);
    engine.members.delete(name);
  }
  const fresh = engine.parts.projections.filter(({ collection }) => epochs.has(collection) && !engine.members.has(collection));
  if (fresh.length === 0) return;
  const standings = await engine.parts.consumers.read(fresh.map(({ collection }) => collection));
  const members = fresh.flatMap((projection) => {
    const standing = standings.get(projection.collection);
    const epoch = epochs.get(projection.collection);
    return standing === undefined || epoch === undefined ? [] : [memberOf(engine, projection, epoch, standing)];
  });
  for (const member of members) engine.members.set(member.grip.name, member);
  place(engine, members);
}

function memberOf({ parts }: Engine, projection: AnyProjection, epoch: number, { position, state }: Standing): Member {
  return {
    projection,
    grip: { name: projection.collection, epoch },
    prefixes: projection.entities.map((entity) => entityPrefix(parts.namespace, parts.service, entity)),
    target: { db: parts.db, collection: projection.collection, cache: createDocumentCache(cachedDocuments, cachedBytes) },
    at: position,
    changed: position,
    state,
  };
}

/**
 * Live projections go on together, and listen to everything the service projects, so that others can join without a new
 * subscription. Others catch up apart, all that start at the same position in one lane.
 */
function place(engine: Engine, members: readonly Member[]): void {
  const live = members.filter(({ state }) => state === 'live');
  const first = live.length > 0 ? live : engine.live === undefined ? members : [];
  if (first.length > 0 && engine.live === undefined) engine.live = open(engine, first, projectedPrefixes(engine.parts));
  else if (first.length > 0) open(engine, first, prefixesOf(first));
  const behind = members.filter((member) => !first.includes(member));
  if (behind.length > 0) open(engine, behind, prefixesOf(behind));
}

function open(engine: Engine, members: readonly Member[], prefixes: readonly string[]): Lane {
  const lane = runLane(engine, members, prefixes);
  engine.lanes.add(lane);
  return lane;
}

function prefixesOf(members: readonly Member[]): string[] {
  return [...new Set(members.flatMap(({ prefixes }) => prefixes))];
}

