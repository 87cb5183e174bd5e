import {
  grantedOn,
  grantedToTeams,
  grantedToUser,
  withoutGrant,
  type DefaultLevel,
  type Grantee,
  type Level,
} from './level.js';
import { upwards, type Node, type TreeNodes } from './tree-nodes.js';

/** Numbers of spaces that are not deleted, without lists of them. */
export interface SpaceCounts {
  /** Those that the member may view. */
  visibleTo(member: Grantee): number;
  /** Those with a grant to the team themselves. */
  grantedTo(team: string): number;
}

/** What is kept while the nodes stay the same. */
interface Counted {
  readonly state: number;
  readonly totals: TotalsByNode;
  /** The grants to combinations of teams. */
  readonly byTeams: Map<string, TeamGrants>;
  /** The number of entries in all of `byTeams`. */
  entries: number;
}

interface Counting {
  readonly nodes: TreeNodes;
  /** Receives the number of visited nodes. */
  readonly visited: (nodes: number) => void;
  counted: Counted | undefined;
}

/** The most entries that are kept for combinations of teams, about 10 MB. */
const mostEntries = 100_000;

/**
 * Counts spaces. After each change all nodes are visited once, and the nodes with grants to teams once for each
 * combination of teams. Otherwise a count visits only the nodes with a grant to the member, and their parents.
 */
export function createSpaceCounts(nodes: TreeNodes, visited: (nodes: number) => void): SpaceCounts {
  const counting: Counting = { nodes, visited, counted: undefined };
  return {
    visibleTo: (member) => countVisible(counting, member),
    grantedTo: (team) => chainsOf(counting, nodes.teams.get(team)).filter(([{ kind }]) => kind === 'space').length,
  };
}

/** Begins with the grants to the member's teams, and corrects the number at each grant to the member. */
function countVisible(counting: Counting, member: Grantee): number {
  const { nodes } = counting;
  const counted = countedNow(counting);
  const { totals } = counted;
  const top = totals.get(null) ?? noSpaces;
  if (member.role === 'admin') return top.all;
  const viewer = { ...member, teams: member.teams.filter((team) => nodes.teams.has(team)) };
  const { apart, visible } = teamGrantsOf(counting, counted, viewer.teams);
  let count = worthOf(minus(top, apart.get(null)), viewer, undefined) + (visible.get(null) ?? 0);
  for (const chain of chainsOf(counting, nodes.users.get(viewer.user))) {
    const own = grantedToUser(viewer, chain[0]);
    if (own === undefined) continue;
    const affected = minus(totalsAt(totals, chain), apart.get(chain[0].id));
    count += worthOf(affected, viewer, own) - worthOf(affected, viewer, withoutOwn(viewer, chain));
  }
  return count;
}

function countedNow(counting: Counting): Counted {
  const { nodes, visited, counted } = counting;
  if (counted?.state === nodes.state) return counted;
  visited(nodes.byId.size);
  return (counting.counted = { state: nodes.state, totals: totalsOf(nodes), byTeams: new Map(), entries: 0 });
}

function teamGrantsOf(counting: Counting, counted: Counted, teams: readonly string[]): TeamGrants {
  const { byTeams, totals } = counted;
  const key = JSON.stringify(teams.toSorted());
  const known = byTeams.get(key);
  if (known !== undefined) return known;
  const ids = new Set(teams.flatMap((team) => [...(counting.nodes.teams.get(team) ?? [])]));
  const grants = divideByTeams(teams, chainsOf(counting, ids), totals);
  const size = grants.apart.size + 1;
  if (counted.entries + size > mostEntries) {
    byTeams.clear();
    counted.entries = 0;
  }
  counted.entries += size;
  byTeams.set(key, grants);
  return grants;
}

/** The chains of those of these nodes that are not deleted. */
function chainsOf({ nodes, visited }: Counting, ids: Iterable<string> = []): Chain[] {
  const chains = [...ids].flatMap((id) => {
    const chain = livingChainOf(nodes, id);
    return chain === null ? [] : [chain];
  });
  visited(chains.reduce((sum, { length }) => sum + length, 0));
  return chains;
}

/** What the nearest grant gives when the member's own grant on the first node is left out. */
function withoutOwn(member: Grantee, [node, ...above]: Chain): Level | undefined {
  const ofTeams = grantedToTeams(member.teams, node);
  if (ofTeams !== undefined) return ofTeams;
  for (const parent of above) {
    const granted = grantedOn(member, parent);
    if (granted !== undefined) return granted;
  }
  return undefined;
}

/**
 * The number of these spaces that a member may view, when this is what the nearest grant gives. Every level includes
 * `read`.
 */
function worthOf({ all, open }: Totals, { role }: Grantee, granted: Level | undefined): number {
  if (granted === undefined) return role === null ? 0 : open;
  return granted === null ? 0 : all;
}

/** Spaces that are not deleted: all, and those that every member except guests may view without a grant. */
interface Totals {
  readonly all: number;
  readonly open: number;
}

/** The totals of each collection that is not deleted, with everything in it, and of the top (`null`). */
type TotalsByNode = ReadonlyMap<string | null, Totals>;

/** A node and its parents up to the top. */
type Chain = readonly [Node, ...Node[]];

const noSpaces: Totals = { all: 0, open: 0 };

/** Goes through all nodes once. */
function totalsOf(nodes: TreeNodes): TotalsByNode {
  const totals = new Map<string | null, Totals>();
  const visit = (parent: string | null, above: DefaultLevel): Totals => {
    let [all, open] = [0, 0];
    for (const id of nodes.children.get(parent) ?? []) {
      const node = nodes.byId.get(id);
      if (node === undefined || node.deletedAt !== null) continue;
      const byDefault = node.defaultLevel === 'inherit' ? above : node.defaultLevel;
      const within = node.kind === 'space' ? totalsOfSpace(byDefault) : visit(id, byDefault);
      all += within.all;
      open += within.open;
    }
    const sum = { all, open };
    totals.set(parent, sum);
    return sum;
  };
  visit(null, 'inherit');
  return totals;
}

/** The totals of the first node of a chain. */
function totalsAt(totals: TotalsByNode, chain: Chain): Totals {
  const [node] = chain;
  if (node.kind === 'collection') return totals.get(node.id) ?? noSpaces;
  const nearest = chain.find(({ defaultLevel }) => defaultLevel !== 'inherit');
  return totalsOfSpace(nearest === undefined ? 'inherit' : nearest.defaultLevel);
}

/** The chain of a node. `null` when a node of it is deleted or unknown. */
function livingChainOf(nodes: TreeNodes, id: string): Chain | null {
  const [node, ...above] = upwards(nodes, id);
  if (node === undefined) return null;
  const chain: Chain = [node, ...above];
  return chain.at(-1)?.parent === null && chain.every(({ deletedAt }) => deletedAt === null) ? chain : null;
}

/** `byDefault`: the nearest default level that is not `inherit`. */
function totalsOfSpace(byDefault: DefaultLevel): Totals {
  return { all: 1, open: withoutGrant({ role: 'read' }, byDefault) === null ? 0 : 1 };
}

/**
 * How the grants to some teams divide the spaces below collections and the top (`null`). What is not in the maps has no
 * such grant below it.
 */
interface TeamGrants {
  /** The spaces on which, or between which and the collection, there is such a grant. */
  readonly apart: ReadonlyMap<string | null, Totals>;
  /** The number of these that the teams may view by these grants. */
  readonly visible: ReadonlyMap<string | null, number>;
}

/** `chains`: those of all nodes with a grant to one of the teams. */
function divideByTeams(teams: readonly string[], chains: readonly Chain[], totals: TotalsByNode): TeamGrants {
  const granting = new Set(chains.map(([{ id }]) => id));
  const apart = new Map<string | null, Totals>();
  for (const chain of chains) {
    const within = totalsAt(totals, chain);
    for (const id of upToNext(granting, chain)) apart.set(id, plus(apart.get(id), within));
  }
  const visible = new Map<string | null, number>();
  for (const chain of chains) {
    const [node] = chain;
    if (grantedToTeams(teams, node) === null) continue;
    const { all } = minus(totalsAt(totals, chain), apart.get(node.id));
    for (const id of above(chain)) visible.set(id, (visible.get(id) ?? 0) + all);
  }
  return { apart, visible };
}

/** The ids above the first node, up to the next one with a grant. */
function upToNext(granting: ReadonlySet<string>, chain: Chain): (string | null)[] {
  const ids = above(chain);
  const next = ids.findIndex((id) => id !== null && granting.has(id));
  return next < 0 ? ids : ids.slice(0, next + 1);
}

function above([, ...parents]: Chain): (string | null)[] {
  return [...parents.map(({ id }) => id), null];
}

function plus(a: Totals = noSpaces, b: Totals): Totals {
  return { all: a.all + b.all, open: a.open + b.open };
}

function minus(a: Totals, b: Totals = noSpaces): Totals {
  return { all: a.all - b.all, open: a.open - b.open };
}
