import { isMembers, listOf, members, type Members } from '../../text/values.js';
import { operationsOfItem } from '../path-item.js';
import { at, follow, partsOf, refOf } from '../pointers.js';

/**
 * Marks what is internal because of something else: operations whose tags are all internal, paths and webhooks whose
 * operations all are, and links to operations that are. The value is changed.
 */
export function markInternal(root: Members): void {
  const tags = internalTags(root);
  for (const part of [root['paths'], root['webhooks'], members(root['components'])['pathItems']])
    for (const item of Object.values(members(part))) markItem(members(item), tags);
  const ids = internalIds(root);
  eachObject(root, (node) => {
    for (const link of Object.values(members(node['links'])).map(members))
      if (leadsToOperation(root, link, ids)) mark(link);
  });
}

/** Names of the tags that are internal. */
export function internalTags(root: Members): Set<string> {
  const tags = listOf(root['tags']).map(members);
  return new Set(tags.filter(isMarked).map((tag) => String(tag['name'])));
}

function isMarked(value: unknown): boolean {
  return members(value)['x-internal'] === true;
}

function mark(node: Members): void {
  (node as Record<string, unknown>)['x-internal'] = true;
}

function markItem(item: Members, tags: ReadonlySet<string>): void {
  const operations = operationsOfItem(item).map(([, operation]) => operation);
  for (const operation of operations) {
    const own = listOf(operation['tags']);
    if (own.length > 0 && own.every((tag) => tags.has(String(tag)))) mark(operation);
  }
  // The name of a path without public operations would tell of the others.
  if (operations.length > 0 && operations.every(isMarked)) mark(item);
}

/** Ids of operations that only stand in internal parts. */
function internalIds(root: Members): Set<string> {
  const [hidden, shown] = [new Set<unknown>(), new Set<unknown>()];
  const given = [root['paths'], root['webhooks']].flatMap((part) => Object.values(members(part)));
  for (const one of given) {
    const item = members(follow(root, one));
    const isHidden = isMarked(one) || isMarked(item);
    for (const [, operation] of operationsOfItem(item))
      (isHidden || isMarked(operation) ? hidden : shown).add(operation['operationId']);
  }
  return new Set([...hidden].filter((id) => typeof id === 'string').filter((id) => !shown.has(id)));
}

function leadsToOperation(root: Members, link: Members, ids: ReadonlySet<string>): boolean {
  const { operationId, operationRef } = link;
  if (typeof operationId === 'string' && ids.has(operationId)) return true;
  const parts = typeof operationRef === 'string' ? partsOf(operationRef) : null;
  return parts !== null && passesInternal(root, parts);
}

const mostHops = 50;

/** Whether something on the way to a part is marked. The way goes on behind references. */
export function passesInternal(root: unknown, parts: readonly string[]): boolean {
  let node = root;
  for (const part of parts) {
    for (let hops = 0; hops < mostHops && refOf(node) !== null && !hasMember(node, part); hops += 1) {
      node = at(root, partsOf(refOf(node) ?? '') ?? ['']);
      if (isMarked(node)) return true;
    }
    node = at(node, [part]);
    if (isMarked(node)) return true;
  }
  return false;
}

function hasMember(node: unknown, name: string): boolean {
  return Object.hasOwn(members(node), name);
}

function eachObject(root: unknown, visit: (node: Members) => void): void {
  const rest: unknown[] = [root];
  const seen = new Set<object>();
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isMembers(node)) visit(node);
    for (const member of Object.values(node)) if (typeof member === 'object' && member !== null) rest.push(member);
  }
}
