import { grantedOn, grantedToTeams, grantedToUser, type Grantee, type Level } from './level.js';
import {
  livingChainOf,
  noSpaces,
  totalsAt,
  totalsOf,
  type Chain,
  type Totals,
  type TotalsByNode,
} from './space-totals.js';
import { divideByTeams, minus, type TeamGrants } from './team-grants.js';
import { type TreeNodes } from './tree-nodes.js';

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
