import { isMembers, listOf, members, type Members } from '../../text/values.js';
import { at, mappedRefs, partsOf, refOf } from '../pointers.js';

/**
 * The objects that are internal, hold something internal, or refer to what does: found from what is internal
 * upwards. Nothing else has to be looked at. The value must be a tree.
 */
export function reachOfInternal(root: Members, isGone: (value: unknown) => boolean): ReadonlySet<unknown> {
  const { above, gone } = aboveIn(root, isGone);
  const reached = new Set<unknown>();
  const rest: object[] = [...gone];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    rest.push(...(above.get(node) ?? []));
  }
  return reached;
}

/** For each object what it stands in and what refers to it, and the objects that are internal. */
function aboveIn(root: Members, isGone: (value: unknown) => boolean) {
  const above = new Map<object, object[]>();
  const gone: object[] = [];
  const rest: object[] = [root];
  const add = (below: unknown, node: object) => {
    if (typeof below !== 'object' || below === null) return;
    const known = above.get(below);
    if (known === undefined) above.set(below, [node]);
    else known.push(node);
  };
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (isGone(node)) gone.push(node);
    for (const member of Object.values(node) as unknown[]) {
      if (typeof member !== 'object' || member === null) continue;
      add(member, node);
      rest.push(member);
    }
    if (!isMembers(node)) continue;
    for (const ref of [refOf(node), ...mappedRefs(node)]) if (ref !== null) add(targetOf(root, ref), node);
    addHeirs(root, node, add);
  }
  return { above, gone };
}

/** A value of a schema with a discriminator may be one of any schema that is made of it by `allOf`. */
function addHeirs(root: Members, node: Members, add: (below: unknown, node: object) => void): void {
  for (const part of listOf(node['allOf'])) {
    const { discriminator } = members(targetOf(root, refOf(part) ?? ''));
    if (isMembers(discriminator)) add(node, discriminator);
  }
}

function targetOf(root: Members, ref: string): unknown {
  const parts = partsOf(ref);
  return parts === null ? undefined : at(root, parts);
}
