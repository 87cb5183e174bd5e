import { isMembers, members } from '../text/values.js';

/** The parts of a local reference (`#/a/b~1c` → `a`, `b/c`); `null` for any other. */
export function partsOf(ref: string): string[] | null {
  if (ref === '#') return [];
  if (!ref.startsWith('#/')) return null;
  return ref.slice(2).split('/').map(unescapePart);
}

function unescapePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  if (!plain.includes('%')) return plain;
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The pointer of parts, without `#`. */
export function pointerOf(parts: readonly string[]): string {
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** What a value has at a path; `undefined` when there is nothing. */
export function at(root: unknown, parts: readonly string[]): unknown {
  let value = root;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/** The reference of an object, when it is one. */
export function refOf(value: unknown): string | null {
  const ref = members(value)['$ref'];
  return typeof ref === 'string' ? ref : null;
}

/** References that lead to references. */
const mostHops = 50;

/** Follows local references until something else comes; `undefined` when nothing does. */
export function follow(root: unknown, value: unknown): unknown {
  let target = value;
  for (let hops = 0; hops < mostHops; hops += 1) {
    const ref = refOf(target);
    if (ref === null) return target;
    const parts = partsOf(ref);
    if (parts === null) return undefined;
    target = at(root, parts);
  }
  return undefined;
}

/** Every reference below a value, the mappings of discriminators too. */
export function* refsIn(value: unknown): Generator<string> {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const node = rest.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (isMembers(node)) {
      const ref = refOf(node);
      if (ref !== null) yield ref;
      yield* mappedRefs(node);
    }
    for (const member of Object.values(node)) if (typeof member === 'object') rest.push(member);
  }
}

/** What the mapping of a discriminator refers to. */
export function mappedRefs(node: unknown): string[] {
  const discriminator = members(members(node)['discriminator']);
  return [...Object.values(members(discriminator['mapping'])), discriminator['defaultMapping']]
    .filter((target) => typeof target === 'string')
    .map(mappedRef);
}

/** A mapping of a discriminator names a schema, or refers to it. */
export function mappedRef(target: string): string {
  return /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target;
}
