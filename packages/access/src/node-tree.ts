import { roleAtLeast, type MemberRole } from '@scriptorium/contracts';
import {
  grantedOn,
  resolveLevel,
  withoutGrant,
  type DefaultLevel,
  type Grantee,
  type Level,
  type NodeGrants,
} from './level.js';
import { type NodeAccessDocument, type NodeKind } from './node-access.projection.js';
import { createSpaceCounts } from './space-counts.js';
import { applyDocument, childrenOf, deletedIn, longestChain, noNodes, upwards, type TreeNodes } from './tree-nodes.js';

/** Ids in the order of the library: by position, each collection directly before its contents. */
export interface VisibleNodes {
  readonly spaces: readonly string[];
  readonly collections: readonly string[];
}

/** The spaces and collections of one organization, with what decides about access to them. */
export interface NodeTree {
  has(id: string): boolean;
  /** The node and all its parents; empty for an unknown id. */
  chainOf(id: string): readonly NodeGrants[];
  /** What a node itself grants; `undefined` for an unknown id. */
  grantsOf(id: string): NodeGrants | undefined;
  /** The collection that contains a node, `null` at the top; `undefined` for an unknown id. */
  parentOf(id: string): string | null | undefined;
  /** A node and everything in it at any depth, including what was deleted; empty for an unknown id. */
  within(id: string): readonly string[];
  /** The level of a member on a node, or `null` for an unknown node. Deletion does not change it. */
  levelOn(id: string, member: Grantee): Level;
  /** When the node was deleted, itself or with a collection that contains it. `null` when it was not, or is unknown. */
  deletedAt(id: string): string | null;
  /** Whether any node has a grant to a team. Otherwise no team seats have to be read. */
  grantsToTeams(): boolean;
  /** The number of grants on all nodes. */
  grants(): number;
  /** The number of nodes of a kind, including deleted ones. */
  count(kind: NodeKind): number;
  /** Nodes of a kind with a grant to a user, for any membership, or to a team. */
  grantingTo(kind: NodeKind, whom: { user: string } | { team: string }): readonly string[];
  /** The nodes that are not deleted and on which the member has at least this level, by default `read`. */
  visibleTo(member: Grantee, least?: MemberRole): VisibleNodes;
  /** The nodes that are deleted, themselves or with a collection that contains them. */
  deleted(): VisibleNodes;
  /** The number of spaces in `visibleTo(member)`, without a list of them. */
  countVisible(member: Grantee): number;
  /** The number of spaces that are not deleted and have a grant to a team themselves. */
  countGrantedTo(team: string): number;
  /** The position of a node in the order of the library, as a text that sorts like the nodes. */
  positionOf(id: string): string;
  /**
   * At most `limit` ids after a position, or from the first on, in the order of the library. The node of the position
   * may have been removed.
   */
  page(ids: readonly string[], limit: number, after?: string): readonly string[];
}

/** A tree that is changed like the documents of its nodes. */
export interface EditableTree extends NodeTree {
  /** Puts, replaces or, with `null`, removes a node. */
  apply(id: string, doc: Omit<NodeAccessDocument, 'organization'> | null): void;
  /** The approximate size in bytes. */
  bytes(): number;
}

/** Receives the number of nodes that were visited for levels and counts. */
export type CountNodes = (nodes: number) => void;

/** A cache of visible nodes. Keys are unique to a tree, its state and a kind of viewer. */
export interface VisibleCache {
  get(key: string): VisibleNodes | undefined;
  set(key: string, visible: VisibleNodes): void;
}

interface Tree {
  /** The name of the tree in a shared cache. */
  readonly name: string;
  readonly cache: VisibleCache;
  readonly count: CountNodes;
  readonly nodes: TreeNodes;
}

const bytesOfNode = 500;
const bytesOfGrant = 250;

/** What counts as the parent of a node whose parent is unknown: nobody has access. */
export const closed: NodeGrants = { defaultLevel: null, users: new Map(), teams: new Map() };

/** Creates an empty tree. `name` must be unique among all trees that share the cache. */
export function createNodeTree(name: string, cache: VisibleCache, count: CountNodes = () => undefined): EditableTree {
  const nodes = noNodes();
  const tree: Tree = { name, cache, count, nodes };
  const counts = createSpaceCounts(nodes, count);
  return {
    has: (id) => nodes.byId.has(id),
    chainOf: (id) => chainOf(nodes, id),
    grantsOf: (id) => nodes.byId.get(id),
    parentOf: (id) => nodes.byId.get(id)?.parent,
    within: (id) => (nodes.byId.has(id) ? within(nodes, id) : []),
    levelOn: (id, member) => levelOn(tree, id, member),
    deletedAt: (id) => deletedAt(nodes, id),
    grantsToTeams: () => nodes.teams.size > 0,
    grants: () => nodes.grants,
    count: (kind) => nodes.counts[kind],
    grantingTo: (kind, whom) => grantingTo(nodes, kind, whom),
    visibleTo: (member, least = 'read') => visibleTo(tree, member, least),
    deleted: () => deletedIn(nodes),
    countVisible: (member) => counts.visibleTo(member),
    countGrantedTo: (team) => counts.grantedTo(team),
    positionOf: (id) => positionOf(nodes, id),
    page: (ids, limit, after) => page(nodes, ids, limit, after),
    apply: (id, doc) => applyDocument(nodes, id, doc),
    bytes: () => nodes.byId.size * bytesOfNode + nodes.grants * bytesOfGrant,
  };
}

function grantingTo(nodes: TreeNodes, kind: NodeKind, whom: { user: string } | { team: string }): string[] {
  const granting = 'user' in whom ? nodes.users.get(whom.user) : nodes.teams.get(whom.team);
  return [...(granting ?? [])].filter((id) => nodes.byId.get(id)?.kind === kind);
}

function chainOf(nodes: TreeNodes, id: string): NodeGrants[] {
  const chain = [...upwards(nodes, id)];
  return chain.length === 0 || chain.at(-1)?.parent === null ? chain : [...chain, closed];
}

function within(nodes: TreeNodes, id: string, depth = 0): string[] {
  if (depth === longestChain) return [];
  return [id, ...childrenOf(nodes, id).flatMap((node) => within(nodes, node.id, depth + 1))];
}

function levelOn({ nodes, count }: Tree, id: string, member: Grantee): Level {
  const chain = chainOf(nodes, id);
  if (chain.length === 0) return null;
  count(chain.length);
  return resolveLevel(member, chain);
}

function deletedAt(nodes: TreeNodes, id: string): string | null {
  for (const node of upwards(nodes, id)) if (node.deletedAt !== null) return node.deletedAt;
  return null;
}

function visibleTo(tree: Tree, member: Grantee, least: MemberRole): VisibleNodes {
  const { cache, nodes, name } = tree;
  const key = `${name} ${nodes.state} ${least} ${viewOf(nodes, member)}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const visible = workOut(tree, member, least);
  cache.set(key, visible);
  return visible;
}

/** The key that is the same for members who see the same nodes. */
function viewOf(nodes: TreeNodes, { role, user, membership, teams }: Grantee): string {
  if (role === 'admin') return 'admin';
  const relevant = teams.filter((team) => nodes.teams.has(team)).sort();
  return JSON.stringify([role, relevant, nodes.users.has(user) ? [user, membership] : []]);
}

/**
 * What a node passes on to its contents: the rules of `resolveLevel` from the top down, so that each node is visited
 * once.
 */
interface Inherited {
  granted: Level | undefined;
  byDefault: DefaultLevel;
}

function workOut({ nodes, count }: Tree, member: Grantee, least: MemberRole): VisibleNodes {
  const visible: { spaces: string[]; collections: string[] } = { spaces: [], collections: [] };
  const visit = (parent: string | null, above: Inherited): void => {
    for (const node of childrenOf(nodes, parent)) {
      if (node.deletedAt !== null) continue;
      count(1);
      const own = grantedOn(member, node);
      const granted = own === undefined ? above.granted : own;
      const byDefault = node.defaultLevel === 'inherit' ? above.byDefault : node.defaultLevel;
      if (roleAtLeast(levelFrom(member, { granted, byDefault }), least))
        (node.kind === 'space' ? visible.spaces : visible.collections).push(node.id);
      if (node.kind === 'collection') visit(node.id, { granted, byDefault });
    }
  };
  visit(null, { granted: undefined, byDefault: 'inherit' });
  return visible;
}

function levelFrom(member: Grantee, { granted, byDefault }: Inherited): Level {
  if (member.role === 'admin') return 'admin';
  return granted === undefined ? withoutGrant(member, byDefault) : granted;
}

/**
 * Blank and `!` sort before all characters of sort keys and ids. So a node comes before its contents, and these before
 * its next sibling.
 */
function positionOf(nodes: TreeNodes, id: string): string {
  return [...upwards(nodes, id)]
    .reverse()
    .map((node) => `${node.order} ${node.id}`)
    .join('!');
}

function page(nodes: TreeNodes, ids: readonly string[], limit: number, after?: string): readonly string[] {
  const start = after === undefined ? 0 : firstBehind(nodes, ids, after);
  return ids.slice(start, start + limit);
}

/** A binary search, so that few positions have to be computed. */
function firstBehind(nodes: TreeNodes, ids: readonly string[], position: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positionOf(nodes, ids[middle] ?? '') > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
