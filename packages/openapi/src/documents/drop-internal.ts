import { isMembers, listOf, members, methods, type Members } from '../text/values.js';
import { dropUnused } from './drop-unused.js';
import { at, mappedRef, partsOf, refOf, refsIn } from './pointers.js';

/**
 * Takes out of a document whatever is marked `x-internal: true`: paths, operations, parameters, properties, schemas,
 * tags, and references to them; then components that only these parts used. The value is changed.
 */
export function dropInternal(root: Members): void {
  markEmptied(root);
  const pruning: Pruning = { isGone: goneIn(root), tags: internalTags(root), usedByGone: new Set() };
  prune(root, pruning);
  if (pruning.usedByGone.size > 0) dropUnused(root, pruning.usedByGone);
}

/** A path or webhook whose operations are all internal is internal itself: its name would tell of them. */
function markEmptied(root: Members): void {
  for (const part of ['paths', 'webhooks'])
    for (const item of Object.values(members(root[part])).map(members)) {
      const operations = [...methods].map((method) => item[method]).filter(isMembers);
      if (operations.length > 0 && operations.every((operation) => operation['x-internal'] === true))
        (item as Record<string, unknown>)['x-internal'] = true;
    }
}

interface Pruning {
  isGone: (value: unknown) => boolean;
  /** Names of tags that are internal. */
  tags: ReadonlySet<string>;
  /** References out of what was taken out. */
  usedByGone: Set<string>;
}

function prune(node: unknown, pruning: Pruning): void {
  if (Array.isArray(node)) {
    const kept = (node as unknown[]).filter((item) => isKept(item, pruning));
    if (kept.length < node.length) node.splice(0, node.length, ...kept);
    for (const item of kept) prune(item, pruning);
  }
  if (!isMembers(node)) return;
  const object = node as Record<string, unknown>;
  const properties = Object.entries(members(object['properties']));
  const gone = new Set(properties.filter(([, property]) => pruning.isGone(property)).map(([name]) => name));
  for (const [name, member] of Object.entries(object)) {
    if (typeof member !== 'object') continue;
    if (isKept(member, pruning)) prune(member, pruning);
    else delete object[name];
  }
  forgetNames(object, gone, pruning);
}

function isKept(value: unknown, { isGone, usedByGone }: Pruning): boolean {
  if (!isGone(value)) return true;
  for (const ref of refsIn(value)) usedByGone.add(ref);
  return false;
}

/** Names of what is gone where they stand as texts, and lists that are empty without it. */
function forgetNames(object: Record<string, unknown>, gone: ReadonlySet<string>, { isGone, tags }: Pruning): void {
  if (gone.size > 0) keepOnly(object, 'required', (name) => !gone.has(String(name)));
  if (tags.size > 0) keepOnly(object, 'tags', (tag) => typeof tag !== 'string' || !tags.has(tag));
  const mapping = members(object['discriminator'])['mapping'];
  for (const [value, target] of Object.entries(members(mapping)))
    if (typeof target === 'string' && isGone({ $ref: mappedRef(target) }))
      delete (mapping as Record<string, unknown>)[value];
  for (const combined of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(object[combined]) && object[combined].length === 0) delete object[combined];
}

function keepOnly(object: Record<string, unknown>, name: string, keep: (item: unknown) => boolean): void {
  const list = object[name];
  if (!Array.isArray(list)) return;
  const kept = list.filter(keep);
  if (kept.length === list.length) return;
  if (kept.length === 0) delete object[name];
  else object[name] = kept;
}

/** Whether a value is marked, or refers to what is. References are judged by the document before anything goes. */
function goneIn(root: Members): (value: unknown) => boolean {
  const leads = new Map<string, boolean>();
  for (const ref of refsIn(root)) if (!leads.has(ref)) leads.set(ref, leadsToInternal(root, ref));
  return (value) => {
    if (!isMembers(value)) return false;
    const ref = refOf(value);
    return value['x-internal'] === true || (ref !== null && leads.get(ref) === true);
  };
}

const mostHops = 50;

function leadsToInternal(root: Members, start: string): boolean {
  let ref: string | null = start;
  for (let hops = 0; ref !== null && hops < mostHops; hops += 1) {
    const parts = partsOf(ref);
    if (parts === null) return false;
    if (passesInternal(root, parts)) return true;
    ref = refOf(at(root, parts));
  }
  return false;
}

/** Whether something on the way to a part is marked. */
export function passesInternal(root: unknown, parts: readonly string[]): boolean {
  return parts.some((_, end) => members(at(root, parts.slice(0, end + 1)))['x-internal'] === true);
}

function internalTags(root: Members): Set<string> {
  const tags = listOf(root['tags']).map(members);
  return new Set(tags.filter((tag) => tag['x-internal'] === true).map((tag) => String(tag['name'])));
}
