import { entriesOf, isMembers, members, type Members } from '../text/values.js';
import { at, partsOf, refsIn } from './pointers.js';

/** Drops components that were used by what is gone, and by nothing that is left. The value is changed. */
export function dropUnused(root: Members, usedByGone: ReadonlySet<string>): void {
  const holder = members(root['components'] ?? root);
  const kinds = root['components'] === undefined ? kindsOfSwagger : Object.keys(holder);
  const groups = new Map(kinds.map((kind) => [kind, holder[kind]]));
  const start = root['components'] === undefined ? [] : ['components'];
  const suspects = reached({ groups, start }, usedByGone);
  const used = reached({ groups, start }, refsOutside(root, { groups, start }, suspects));
  for (const [key, [kind, name]] of suspects) {
    const group = groups.get(kind);
    if (!used.has(key) && isMembers(group)) delete (group as Record<string, unknown>)[name];
  }
}

/** Swagger 2.0 has its components at the top. */
const kindsOfSwagger = ['definitions', 'parameters', 'responses'];

/** The components of a document by their kinds, and where the kinds stand. */
interface Components {
  groups: ReadonlyMap<string, unknown>;
  start: readonly string[];
}

type Places = Map<string, [kind: string, name: string]>;

/** The references out of everything but the suspects. */
function refsOutside(root: Members, { groups, start }: Components, suspects: Places): Set<string> {
  const rest = Object.entries(root).filter(([name]) => !(start.length === 0 ? groups.has(name) : name === start[0]));
  const refs = new Set<string>(refsIn(rest));
  for (const [kind, group] of groups) {
    const others = entriesOf(group).filter(([name]) => !suspects.has(keyOf(kind, name)));
    for (const ref of refsIn(others)) refs.add(ref);
  }
  return refs;
}

/** The components that references lead to, directly or through others. */
function reached({ groups, start }: Components, refs: Iterable<string>): Places {
  const found: Places = new Map();
  const rest = [...refs];
  for (let ref = rest.pop(); ref !== undefined; ref = rest.pop()) {
    const parts = partsOf(ref) ?? [];
    const [kind, name] = parts.slice(start.length);
    if (!start.every((part, index) => parts[index] === part) || kind === undefined || name === undefined) continue;
    if (!groups.has(kind) || found.has(keyOf(kind, name))) continue;
    found.set(keyOf(kind, name), [kind, name]);
    for (const next of refsIn(at(groups.get(kind), [name]))) rest.push(next);
  }
  return found;
}

function keyOf(kind: string, name: string): string {
  return JSON.stringify([kind, name]);
}
