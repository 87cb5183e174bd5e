import { type NodeGrants } from './level.js';
import { type NodeAccessDocument, type NodeKind } from './node-access.projection.js';

/** A space or collection in the memory of a replica. */
export interface Node extends NodeGrants {
  readonly id: string;
  readonly kind: NodeKind;
  readonly parent: string | null;
  readonly order: string;
  readonly deletedAt: string | null;
}

/** The nodes of one organization, by id and by parent. */
export interface TreeNodes {
  readonly byId: Map<string, Node>;
  /** Ids by parent; `null` is the top. */
  readonly children: Map<string | null, Set<string>>;
  /** Children in their order, computed at first use. */
  readonly sorted: Map<string | null, readonly Node[]>;
  /** Ids of the nodes with a grant to a user, and to a team. */
  readonly users: Map<string, Set<string>>;
  readonly teams: Map<string, Set<string>>;
  grants: number;
  readonly counts: Record<NodeKind, number>;
  /** Changes with every change of a node. */
  state: number;
}

/** The longest chain: collections are at most ten deep. It ends the search if a node were its own ancestor. */
export const longestChain = 64;

export function noNodes(): TreeNodes {
  return {
    byId: new Map(),
    children: new Map(),
    sorted: new Map(),
    users: new Map(),
    teams: new Map(),
    grants: 0,
    counts: { space: 0, collection: 0 },
    state: 0,
  };
}

/** Puts, replaces or, with `null`, removes a node. A node that the library does not contain yet counts as removed. */
export function applyDocument(
  nodes: TreeNodes,
  id: string,
  doc: Omit<NodeAccessDocument, 'organization'> | null,
): void {
  const before = nodes.byId.get(id);
  const isThere = doc?.added === true;
  if (before === undefined && !isThere) return;
  nodes.state += 1;
  if (before !== undefined) leave(nodes, before);
  if (isThere) enter(nodes, nodeOf(id, doc));
}

function nodeOf(id: string, doc: Omit<NodeAccessDocument, 'organization'>): Node {
  return {
    id,
    kind: doc.kind,
    parent: doc.parent,
    order: doc.order,
    deletedAt: doc.deletedAt,
    defaultLevel: doc.defaultLevel,
    users: mapOf(doc.users.map(({ user, membership, level }) => [user, { membership, level }])),
    teams: mapOf(doc.teams.map(({ team, level }) => [team, level])),
  };
}

const empty = new Map<string, never>();

/** An empty map, shared by all nodes without grants. */
function mapOf<V>(entries: readonly (readonly [string, V])[]): ReadonlyMap<string, V> {
  return entries.length === 0 ? empty : new Map(entries);
}

function enter(nodes: TreeNodes, node: Node): void {
  nodes.byId.set(node.id, node);
  add(nodes.children, node.parent, node.id);
  for (const user of node.users.keys()) add(nodes.users, user, node.id);
  for (const team of node.teams.keys()) add(nodes.teams, team, node.id);
  count(nodes, node, 1);
}

function leave(nodes: TreeNodes, node: Node): void {
  nodes.byId.delete(node.id);
  remove(nodes.children, node.parent, node.id);
  for (const user of node.users.keys()) remove(nodes.users, user, node.id);
  for (const team of node.teams.keys()) remove(nodes.teams, team, node.id);
  count(nodes, node, -1);
}

function count(nodes: TreeNodes, node: Node, by: 1 | -1): void {
  nodes.sorted.delete(node.parent);
  nodes.counts[node.kind] += by;
  nodes.grants += by * (node.users.size + node.teams.size);
}

function add<K>(idsOf: Map<K, Set<string>>, key: K, id: string): void {
  idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
}

function remove<K>(idsOf: Map<K, Set<string>>, key: K, id: string): void {
  const ids = idsOf.get(key);
  ids?.delete(id);
  if (ids?.size === 0) idsOf.delete(key);
}

/** The node and its parents, up to the top or to an unknown parent. */
export function* upwards({ byId }: TreeNodes, id: string): Generator<Node> {
  let node = byId.get(id);
  for (let length = 0; node !== undefined && length < longestChain; length += 1) {
    yield node;
    node = node.parent === null ? undefined : byId.get(node.parent);
  }
}

/** The direct contents of a collection or of the top, in order. */
export function childrenOf(nodes: TreeNodes, parent: string | null): readonly Node[] {
  const known = nodes.sorted.get(parent);
  if (known !== undefined) return known;
  const ids = nodes.children.get(parent);
  if (ids === undefined) return [];
  const sorted = [...ids].flatMap((id) => nodes.byId.get(id) ?? []).sort(bySiblingOrder);
  nodes.sorted.set(parent, sorted);
  return sorted;
}

function bySiblingOrder(a: Node, b: Node): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Ids of what was deleted, itself or with a collection that contains it, in the order of the library. */
export function deletedIn(nodes: TreeNodes): { spaces: string[]; collections: string[] } {
  const ids: Record<NodeKind, string[]> = { space: [], collection: [] };
  const visit = (parent: string | null, isInDeleted: boolean): void => {
    for (const node of childrenOf(nodes, parent)) {
      const isDeleted = isInDeleted || node.deletedAt !== null;
      if (isDeleted) ids[node.kind].push(node.id);
      if (node.kind === 'collection') visit(node.id, isDeleted);
    }
  };
  visit(null, false);
  return { spaces: ids.space, collections: ids.collection };
}
