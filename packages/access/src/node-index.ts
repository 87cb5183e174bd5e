import { AppError } from '@scriptorium/contracts';
import { type Clock, type Store, type Stored } from '@scriptorium/event-sourcing';
import { LRUCache } from 'lru-cache';
import { Long } from 'mongodb';
import { nodeAccess, type NodeAccessDocument } from './node-access.projection.js';
import { createNodeTree, type EditableTree, type NodeTree, type VisibleCache, type VisibleNodes } from './node-tree.js';

/** The part of a service's store that the index reads. */
export type NodeSource = Pick<Store, 'collection' | 'version' | 'written'>;

/** The spaces and collections of organizations in the memory of a replica. */
export interface NodeIndex {
  /**
   * The nodes of an organization, with everything that the service had written at the time of the call. The result
   * changes later, so use it at once.
   */
  of(organization: string): Promise<NodeTree>;
}

/** The work of the index, for specs and metrics. */
export interface IndexWork {
  /** Complete loads of an organization. */
  loads: number;
  /** Queries for changes. */
  looks: number;
  /** Documents that both have returned. */
  documents: number;
  /** Nodes that were visited for levels and counts. */
  nodes: number;
}

export interface NodeIndexOptions {
  clock: Clock;
  /** The approximate size of all organizations in bytes. The requested organization is kept in any case. */
  maxBytes?: number;
  /** The number of ids in all sets of visible nodes. */
  maxVisible?: number;
  work?: IndexWork;
}

const defaultMaxBytes = 128 * 1024 * 1024;
const defaultMaxVisible = 2_000_000;

/** The highest age (ms) of the index when the announcement of a change was lost. */
const believedFor = 1_000;

/**
 * After this time (ms) without a query everything is loaded again, since tombstones of removed documents are kept for
 * only an hour.
 */
const idleFor = 10 * 60_000;

/** How often an update is tried: other organizations can push this one out of memory in the meantime. */
const mostTries = 3;

/** An organization in memory. */
interface Loaded {
  readonly tree: EditableTree;
  /** The tree contains everything up to this position of the log. */
  seen: bigint;
  /** The version of the read model and the moment for which that holds. */
  version: string | undefined;
  at: number;
}

/** One query for changes, for all organizations that were in memory when it began. */
interface Look {
  readonly version: string | undefined;
  readonly organizations: ReadonlyMap<string, Loaded>;
}

interface Index {
  readonly source: NodeSource;
  readonly clock: Clock;
  readonly work: IndexWork;
  readonly visible: VisibleCache;
  readonly loaded: LRUCache<string, Loaded>;
  readonly loading: Map<string, Promise<Loaded>>;
  /** The query that is running, and the one that follows it. */
  running: { look: Look; done: Promise<Look> } | undefined;
  waiting: Promise<Look> | undefined;
  trees: number;
  lastLook: number;
}

export const noWork = (): IndexWork => ({ loads: 0, looks: 0, documents: 0, nodes: 0 });

/**
 * Creates an index over `nodeAccess`, which the service has to declare. An organization is loaded completely at its
 * first use. After that, one query for each change of the read model updates everything in memory: documents and
 * tombstones whose last event is after the known position. While nothing changes, no query is sent for a second.
 */
export function createNodeIndex(source: NodeSource, options: NodeIndexOptions): NodeIndex {
  const { clock, maxBytes = defaultMaxBytes, maxVisible = defaultMaxVisible, work = noWork() } = options;
  const index: Index = {
    source,
    clock,
    work,
    visible: new LRUCache<string, VisibleNodes>({
      maxSize: maxVisible,
      sizeCalculation: ({ spaces, collections }) => Math.min(maxVisible, spaces.length + collections.length + 16),
    }),
    loaded: new LRUCache<string, Loaded>({
      maxSize: maxBytes,
      sizeCalculation: ({ tree }) => Math.min(maxBytes, tree.bytes() + 1_000),
    }),
    loading: new Map(),
    running: undefined,
    waiting: undefined,
    trees: 0,
    lastLook: clock.monotonic(),
  };
  return { of: (organization) => upToDate(index, organization) };
}

async function upToDate(index: Index, organization: string): Promise<NodeTree> {
  const { source, clock, loaded } = index;
  if (clock.monotonic() - index.lastLook > idleFor) {
    loaded.clear();
    index.lastLook = clock.monotonic();
  }
  const asked = clock.monotonic();
  const version = source.version([nodeAccess]);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const entry = loaded.get(organization) ?? (await load(index, organization));
    if (version !== undefined && entry.version === version && entry.at > asked - believedFor) return entry.tree;
    const { organizations } = await look(index, organization, entry, version);
    // Otherwise it was dropped for other organizations before the query began.
    if (organizations.get(organization) === entry) return entry.tree;
  }
  throw new AppError('unavailable', [], { message: 'The spaces of the organization cannot be read', retryAfter: 1 });
}

/** Loads an organization completely, once for all concurrent callers. */
function load(index: Index, organization: string): Promise<Loaded> {
  const known = index.loading.get(organization);
  if (known !== undefined) return known;
  const loading = readWhole(index, organization).finally(() => index.loading.delete(organization));
  index.loading.set(organization, loading);
  return loading;
}

async function readWhole(index: Index, organization: string): Promise<Loaded> {
  const { source, clock, work, visible } = index;
  const [version, at] = [source.version([nodeAccess]), clock.monotonic()];
  const seen = await source.written(nodeAccess);
  index.trees += 1;
  work.loads += 1;
  const tree = createNodeTree(`${index.trees}`, visible, (nodes) => (work.nodes += nodes));
  for await (const { _id, ...doc } of source.collection(nodeAccess).find({ organization })) {
    work.documents += 1;
    tree.apply(_id, doc);
  }
  const entry: Loaded = { tree, seen, version, at };
  index.loaded.set(organization, entry);
  return entry;
}

/**
 * Queries for changes, one query at a time. A caller that arrives during a query that may have begun too early, or
 * without the organization, shares the next one.
 */
function look(index: Index, organization: string, entry: Loaded, version: string | undefined): Promise<Look> {
  const { running } = index;
  const isIncluded = running?.look.organizations.get(organization) === entry;
  if (running !== undefined && version !== undefined && running.look.version === version && isIncluded)
    return running.done;
  index.waiting ??= (running?.done ?? Promise.resolve())
    .catch(() => undefined)
    .then(() => {
      index.waiting = undefined;
      return begin(index);
    });
  return index.waiting;
}

function begin(index: Index): Promise<Look> {
  const started: Look = {
    version: index.source.version([nodeAccess]),
    organizations: new Map(index.loaded.entries()),
  };
  const running = { look: started, done: bringUpToDate(index, started).then(() => started) };
  index.running = running;
  const ended = (): void => {
    if (index.running === running) index.running = undefined;
  };
  running.done.then(ended, ended);
  return running.done;
}

async function bringUpToDate(index: Index, { version, organizations }: Look): Promise<void> {
  const { source, clock, work, loaded } = index;
  const at = clock.monotonic();
  const written = await source.written(nodeAccess);
  const since = [...organizations.values()].reduce((least, { seen }) => (seen < least ? seen : least), written);
  work.looks += 1;
  const changed = new Set<string>();
  // Documents after `written` may be visible before earlier ones are. They are used, and queried again.
  const found = source.collection(nodeAccess).raw.find({ _at: { $gt: Long.fromBigInt(since) } });
  for await (const { _id, ...fields } of found) {
    work.documents += 1;
    const doc = fields as unknown as Stored<NodeAccessDocument> & { _gone?: true };
    const organization = doc._gone === true ? null : doc.organization;
    for (const [name, { tree }] of organizations) {
      if (name !== organization && !tree.has(_id)) continue;
      tree.apply(_id, name === organization ? doc : null);
      changed.add(name);
    }
  }
  for (const [name, entry] of organizations) {
    if (entry.seen < written) entry.seen = written;
    [entry.version, entry.at] = [version, at];
    // Its size may have changed.
    if (changed.has(name) && loaded.peek(name) === entry) loaded.set(name, entry);
  }
  index.lastLook = at;
}
