import { AppError } from '@scriptorium/contracts';
import { type Clock, type Store, type Stored } from '@scriptorium/event-sourcing';
import { LRUCache } from 'lru-cache';
import { Long } from 'mongodb';
import { nodeAccess, type NodeAccessDocument } from './node-access.projection.js';
import { createNodeTree, type EditableTree, type NodeTree, type VisibleCache, type VisibleNodes } from './node-tree.js';

/** Of a service's store, what the index reads from. */
export type NodeSource = Pick<Store, 'collection' | 'version' | 'written'>;

/** The spaces and collections of organizations, in the memory of a replica. */
export interface NodeIndex {
  /** The nodes of an organization with everything that its service had written when this was called. Use it at once: it goes on changing. */
  of(organization: string): Promise<NodeTree>;
}

/** What the index did, for specs and metrics that count work. */
export interface IndexWork {
  /** Organizations that were read whole. */
  loads: number;
  /** Questions for what has changed. */
  looks: number;
  /** Documents that came with either. */
  documents: number;
  /** Nodes of which a level was worked out. */
  nodes: number;
}

export interface NodeIndexOptions {
  clock: Clock;
  /** Bytes, roughly, of all organizations together; the one that is asked for is kept in any case. */
  maxBytes?: number;
  /** Ids in all sets of visible nodes together. */
  maxVisible?: number;
  work?: IndexWork;
}

const defaultMaxBytes = 128 * 1024 * 1024;
const defaultMaxVisible = 2_000_000;

/** Announcements of changes are heard at once. Should one get lost, the index is this much (ms) too old at most. */
const believedFor = 1_000;

/** After this long (ms) without a look everything is read anew: tombstones, which say what is gone, are kept for an hour. */
const idleFor = 10 * 60_000;

/** An organization can be pushed out of memory by others while it is being brought up to date. */
const mostTries = 3;

/** An organization in memory. */
interface Loaded {
  readonly tree: EditableTree;
  /** Everything up to this position of the log is in the tree. */
  seen: bigint;
  /** The version of the read model, and the moment, as of which that is so. */
  version: string | undefined;
  at: number;
}

/** One question for what has changed, for all organizations that were in memory when it began. */
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
  /** The look that is under way, and the one that begins when it has ended. */
  running: { look: Look; done: Promise<Look> } | undefined;
  waiting: Promise<Look> | undefined;
  trees: number;
  lastLook: number;
}

export const noWork = (): IndexWork => ({ loads: 0, looks: 0, documents: 0, nodes: 0 });

/**
 * An index over `nodeAccess`, which the service has to project. An organization is read whole when it is asked for first.
 * From then on one question a change of the read model brings everything up to date that is in memory: documents, tombstones
 * included, whose last event stands behind what was seen. While nothing changes no question is asked for a second.
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
    // Otherwise it had to make room for others before the look began.
    if (organizations.get(organization) === entry) return entry.tree;
  }
  throw new AppError('unavailable', [], { message: 'The spaces of the organization cannot be read', retryAfter: 1 });
}

/** Reads an organization whole, once for all who ask meanwhile. */
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
 * Asks for what has changed. One look at a time; whoever comes while one runs that may have begun too early, or without the
 * entry, shares the next one.
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
  // Documents behind `written` may be there before earlier ones are: they are taken, and looked for again.
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
    // Its size may be another now.
    if (changed.has(name) && loaded.peek(name) === entry) loaded.set(name, entry);
  }
  index.lastLook = at;
}
