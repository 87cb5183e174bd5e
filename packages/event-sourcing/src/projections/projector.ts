import { type HeldLease, type ConsumerEntry } from '../leases/consumers.js';
import { createDocumentCache, type Held } from './held-documents.js';
import { type Engine, type SubscriptionGroup, type Member, type ProjectorParts } from './engine.js';
import { announceProgress, runGroup } from './subscription-group.js';
import { type LeaseManager } from '../leases/lease-manager.js';
import { describe } from '../process/observe.js';
import { type AnyProjection } from './projection.js';
import { consumedPrefixes, entityPrefix } from '../events/streams.js';

/** What each projection keeps of its documents in memory. */
const [cachedDocuments, cachedBytes] = [2000, 8 * 1024 * 1024];

/** Projections that nobody waits for are announced at most this often, ms. */
const laterMs = 20;

/** A document, and the position of the last event in it. */
export type Written = Readonly<Pick<Held, 'doc' | 'at'>>;

/** Runs the projections whose leases this replica holds. */
export interface Projector {
  /** Takes the leases that are held now, and starts and stops projections accordingly. */
  changed(heldLeases: readonly HeldLease[], leases: Pick<LeaseManager, 'holds'>): Promise<void>;
  /**
   * A document (`null`: removed) that this replica has written itself, is cached, and cannot have been written by
   * another since: it holds the projection's lease. `undefined`: the database has to be asked.
   */
  written(collection: string, id: string): Written | undefined;
  /** Why a projection of this replica does not go on at the moment, by collection. */
  trouble(): ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export function createProjector(parts: ProjectorParts): Projector {
  const engine: Engine = {
    parts,
    leases: { holds: () => false },
    members: new Map(),
    live: undefined,
    groups: new Set(),
    stopped: false,
    // A live projection that goes on apart is still waited for, also up to events that it does not take.
    open: (members) => void open(engine, members, consumedPrefixes(parts, parts.projections)),
    tellLater: (members) => tellGathered(members),
  };
  const tellGathered = announceInBatches(engine);
  let last: Promise<void> = Promise.resolve();
  return {
    changed(heldLeases, leases) {
      engine.leases = leases;
      // The lease is given up after the work has stopped: its last rounds must not begin any.
      last = last
        .then(() => (engine.stopped ? undefined : adapt(engine, heldLeases)))
        .catch((error: unknown) => parts.logger.warn({ error: describe(error) }, 'projections could not be started'));
      return last;
    },
    written: (collection, id) => writtenBy(engine, collection, id),
    trouble: () =>
      new Map(
        [...engine.groups].flatMap((group) =>
          group.trouble === undefined
            ? []
            : [...group.members.keys()].map((name) => [name, group.trouble ?? ''] as const),
        ),
      ),
    async stop() {
      engine.stopped = true;
      await last;
      await Promise.all([...engine.groups].map((group) => group.stop()));
      await engine.parts.checkpoints.flush(engine.members.values());
      engine.members.clear();
    },
  };
}

/**
 * Gathers members and announces them as one batch, at most every 20 ms. Members that have left meanwhile are left out.
 */
function announceInBatches(engine: Engine): (members: readonly Member[]) => void {
  const gathered = new Set<Member>();
  let timer: NodeJS.Timeout | undefined;
  const announceGathered = (): void => {
    timer = undefined;
    const present = [...gathered].filter((member) => engine.members.get(member.lease.name) === member);
    gathered.clear();
    announceProgress(engine, present);
  };
  return (members) => {
    for (const member of members) gathered.add(member);
    if (gathered.size > 0) timer ??= setTimeout(announceGathered, laterMs);
  };
}

function writtenBy({ members, leases }: Engine, collection: string, id: string): Written | undefined {
  const member = members.get(collection);
  if (member === undefined || member.state !== 'live' || !leases.holds(member.lease)) return undefined;
  return member.target.cache.get(id);
}

async function adapt(engine: Engine, heldLeases: readonly HeldLease[]): Promise<void> {
  const epochs = new Map(heldLeases.map(({ name, epoch }) => [name, epoch]));
  for (const [name, member] of engine.members) {
    if (epochs.get(name) === member.lease.epoch) continue;
    for (const group of engine.groups) group.members.delete(name);
    engine.members.delete(name);
  }
  const fresh = engine.parts.projections.filter(
    ({ collection }) => epochs.has(collection) && !engine.members.has(collection),
  );
  if (fresh.length === 0) return;
  const entries = await engine.parts.consumers.read(fresh.map(({ collection }) => collection));
  const members = fresh.flatMap((projection) => {
    const entry = entries.get(projection.collection);
    const epoch = epochs.get(projection.collection);
    return entry === undefined || epoch === undefined ? [] : [memberOf(engine, projection, epoch, entry)];
  });
  // Nobody waits for what is being filled in.
  for (const { lease, filling } of members)
    if (filling !== undefined) await engine.parts.consumers.mark(lease, engine.parts.owner, 'building');
  for (const member of members) engine.members.set(member.lease.name, member);
  place(engine, members);
}

function memberOf({ parts }: Engine, projection: AnyProjection, epoch: number, entry: ConsumerEntry): Member {
  const filling = fillingOf(projection, entry);
  const { position, state } = filling === undefined ? entry : ({ position: -1n, state: 'building' } as const);
  return {
    projection,
    lease: { name: projection.collection, epoch },
    prefixes: projection.entities.map((entity) => entityPrefix(parts.namespace, parts.service, entity)),
    target: {
      db: parts.db,
      collection: projection.collection,
      cache: createDocumentCache(cachedDocuments, cachedBytes),
    },
    at: position,
    changed: position,
    state,
    filling,
    apartUntil: -Infinity,
  };
}

/** What a projection that has grown has to read once more; nothing when it is new, or has stopped. */
function fillingOf(
  { grows, types }: AnyProjection,
  { position, state, types: taken }: ConsumerEntry,
): Member['filling'] {
  const added = [...types].filter((type) => !taken.includes(type));
  return !grows || added.length === 0 || position < 0n || state === 'stopped'
    ? undefined
    : { types: new Set(added), to: position };
}

/**
 * Live projections go on together, and listen to everything the service projects, so that others can join without a new
 * subscription. Others catch up apart, all that start at the same position in one group.
 */
function place(engine: Engine, members: readonly Member[]): void {
  const live = members.filter(({ state }) => state === 'live');
  const first = live.length > 0 ? live : engine.live === undefined ? members : [];
  if (first.length > 0 && engine.live === undefined)
    engine.live = open(engine, first, consumedPrefixes(engine.parts, engine.parts.projections));
  else if (first.length > 0) engine.open(first);
  const behind = members.filter((member) => !first.includes(member));
  if (behind.length > 0) open(engine, behind, prefixesOf(behind));
}

function open(engine: Engine, members: readonly Member[], prefixes: readonly string[]): SubscriptionGroup {
  const group = runGroup(engine, members, prefixes);
  engine.groups.add(group);
  return group;
}

function prefixesOf(members: readonly Member[]): string[] {
  return [...new Set(members.flatMap(({ prefixes }) => prefixes))];
}
