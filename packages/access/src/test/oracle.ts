import { memberRoles } from '@scriptorium/contracts';
import { type DefaultLevel, type Grantee, type Level } from '../level.js';
import { type NodeAccessDocument } from '../node-access.projection.js';

/*
 * What the package must come to, written down as naively as possible: every rule as a list of values, the first value
 * wins; the whole organization as plain documents, looked through again for every question.
 */

export type Documents = ReadonlyMap<string, NodeAccessDocument>;

/** The documents from a node up to the top; `null` when a parent is missing on the way. */
export function chainIn(docs: Documents, id: string): NodeAccessDocument[] | null {
  const doc = docs.get(id);
  if (doc === undefined || !doc.added) return null;
  if (doc.parent === null) return [doc];
  const above = chainIn(docs, doc.parent);
  return above === null ? null : [doc, ...above];
}

export function naiveLevel({ user, membership, role, teams }: Grantee, chain: readonly NodeAccessDocument[]): Level {
  const values: (Level | undefined)[] = [];
  if (role === 'admin') values.push('admin');
  for (const node of chain) {
    values.push(...node.users.filter((g) => g.user === user && g.membership === membership).map((g) => g.level));
    const ofTeams = node.teams.filter((grant) => teams.includes(grant.team)).map(({ level }) => level);
    values.push(highest(ofTeams));
  }
  if (role !== null) {
    for (const { defaultLevel } of chain) values.push(valueOf(defaultLevel));
    values.push(role);
  }
  return values.find((value) => value !== undefined) ?? null;
}

function highest(levels: readonly Level[]): Level | undefined {
  if (levels.length === 0) return undefined;
  return [...memberRoles].reverse().find((role) => levels.includes(role)) ?? null;
}

function valueOf(level: DefaultLevel): Level | undefined {
  return level === 'inherit' ? undefined : level;
}

/** Ids of one kind that a member sees, in the order of the library. */
export function naivelyVisible(docs: Documents, member: Grantee, kind: NodeAccessDocument['kind']): string[] {
  const seen = [...docs].filter(([id, doc]) => {
    const chain = chainIn(docs, id);
    if (doc.kind !== kind || chain === null || chain.some(({ deletedAt }) => deletedAt !== null)) return false;
    return naiveLevel(member, chain) !== null;
  });
  return seen.map(([id]) => id).sort((a, b) => compare(placeIn(docs, a), placeIn(docs, b)));
}

/** Order and id of each node from the top down. */
function placeIn(docs: Documents, id: string): string[] {
  const doc = docs.get(id);
  if (doc === undefined) return [];
  return [...(doc.parent === null ? [] : placeIn(docs, doc.parent)), doc.order, id];
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [left, right] = [a[i], b[i]];
    if (left === right) continue;
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
