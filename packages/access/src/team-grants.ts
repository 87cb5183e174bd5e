import { grantedToTeams } from './level.js';
import { noSpaces, totalsAt, type Chain, type Totals, type TotalsByNode } from './space-totals.js';

/**
 * How the grants to some teams divide the spaces below collections and the top (`null`). What is not in the maps has no
 * such grant below it.
 */
export interface TeamGrants {
  /** The spaces on which, or between which and the collection, there is such a grant. */
  readonly apart: ReadonlyMap<string | null, Totals>;
  /** The number of these that the teams may view by these grants. */
  readonly visible: ReadonlyMap<string | null, number>;
}

/** `chains`: those of all nodes with a grant to one of the teams. */
export function divideByTeams(teams: readonly string[], chains: readonly Chain[], totals: TotalsByNode): TeamGrants {
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

export function minus(a: Totals, b: Totals = noSpaces): Totals {
  return { all: a.all - b.all, open: a.open - b.open };
}
