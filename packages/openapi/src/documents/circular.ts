import { isMembers } from '../text/values.js';
import { partsOf, refOf } from './pointers.js';

/**
 * Replaces references that lead to nothing but themselves (`A: { $ref: A }`) by empty objects, and tells where they
 * were. Schemas that contain themselves are no such references: there is something between.
 */
export function takeOutCircular(root: unknown): string[][] {
  const known = new Map<string, boolean>();
  const found: string[][] = [];
  const visited = new Set<object>();
  const circular: { $ref?: unknown }[] = [];
  visit(root, []);
  // Only now, since each of them is seen by following the others.
  for (const node of circular) delete node.$ref;
  return found;

  function visit(node: unknown, path: readonly string[]): void {
    if (typeof node !== 'object' || node === null || visited.has(node)) return;
    visited.add(node);
    const ref = refOf(node);
    if (ref !== null && isMembers(node) && isCircular(ref)) {
      found.push([...path]);
      circular.push(node);
    }
    for (const [name, member] of Object.entries(node))
      if (typeof member === 'object' && member !== null) visit(member, [...path, name]);
  }

  function isCircular(ref: string): boolean {
    const before = known.get(ref);
    if (before !== undefined) return before;
    const circular = leadsBack(root, ref);
    known.set(ref, circular);
    return circular;
  }
}

/** References that are followed for one. */
const mostHops = 1_000;

/** Whether following a reference comes back to one that is being followed. */
function leadsBack(root: unknown, ref: string): boolean {
  const seen = new Set<string>();
  // What is left to walk: names, with the references that stand in their way put in front of them.
  let rest: string[] = [];
  let node: unknown = { $ref: ref };
  for (let hops = 0; hops < mostHops;) {
    const next = refOf(node);
    const name = rest[0];
    const isThere = name !== undefined && typeof node === 'object' && node !== null && Object.hasOwn(node, name);
    if (isThere) {
      node = (node as Readonly<Record<string, unknown>>)[name];
      rest = rest.slice(1);
    } else if (next === null) {
      return false;
    } else {
      const parts = partsOf(next);
      const state = `${next} ${rest.join('/')}`;
      if (parts === null) return false;
      if (seen.has(state)) return true;
      seen.add(state);
      rest = [...parts, ...rest];
      node = root;
      hops += 1;
    }
  }
  return true;
}
