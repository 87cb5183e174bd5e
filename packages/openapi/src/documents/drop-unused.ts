import { entriesOf, isMembers, members, type Members } from '../text/values.js';
import { at, partsOf, refsIn } from './pointers.js';

/** Drops components that were used by what is gone, and by nothing that is left. The value is changed. */
export function dropUnused(root: Members, usedByGone: ReadonlySet<string>): void {
  const components = members(root['components']);
  const suspects = reached(components, usedByGone);
  const used = reached(components, refsOutside(root, suspects));
  for (const [key, [kind, name]] of suspects) {
    const group = components[kind];
    if (!used.has(key) && isMembers(group)) delete (group as Record<string, unknown>)[name];
  }
}

type Places = Map<string, [kind: string, name: string]>;

/** The references out of everything but the suspects. */
function refsOutside(root: Members, suspects: Places): Set<string> {
  const { components, ...rest } = root;
  const refs = new Set<string>(refsIn(rest));
  for (const [kind, group] of entriesOf(components)) {
    const others = entriesOf(group).filter(([name]) => !suspects.has(keyOf(kind, name)));
    for (const ref of refsIn(others)) refs.add(ref);
  }
  return refs;
}

/** The components that references lead to, directly or through others. */
function reached(components: Members, refs: Iterable<string>): Places {
  const found: Places = new Map();
  const rest = [...refs];
  for (let ref = rest.pop(); ref !== undefined; ref = rest.pop()) {
    const [top, kind, name] = partsOf(ref) ?? [];
    if (top !== 'components' || kind === undefined || name === undefined || found.has(keyOf(kind, name))) continue;
    found.set(keyOf(kind, name), [kind, name]);
    for (const next of refsIn(at(components, [kind, name]))) rest.push(next);
  }
  return found;
}

function keyOf(kind: string, name: string): string {
  return JSON.stringify([kind, name]);
}
