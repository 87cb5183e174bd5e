import { hasWholeTokens } from './subject.js';

/** What the index needs to know of a subscription. */
export interface Indexed {
  readonly subject: string;
  readonly queue: string | undefined;
}

/** Members of a queue group on one subject pattern, with the place where the next round starts. */
export interface QueueGroup<S> {
  readonly members: S[];
  next: number;
}

/** All subscriptions of one subject pattern. */
export interface SubscriptionSet<S> {
  readonly plain: Set<S>;
  readonly queues: Map<string, QueueGroup<S>>;
}

interface Node<S> {
  readonly children: Map<string, Node<S>>;
  set: SubscriptionSet<S> | undefined;
}

/**
 * Subscriptions by subject pattern. Three shapes are kept apart because their lookups differ in cost:
 * literal subjects, `prefix.*` (reply inboxes and services: one lookup by the subject's prefix), and
 * every other wildcard in a trie. Results are never cached by subject: reply subjects are unique, so
 * such a cache would only grow.
 */
export interface SubscriptionIndex<S extends Indexed> {
  add(subscription: S): void;
  remove(subscription: S): void;
  /** The sets whose pattern matches; the array is reused by the next call. */
  match(subject: string): readonly SubscriptionSet<S>[];
}

/** An empty index. */
export function createSubscriptionIndex<S extends Indexed>(): SubscriptionIndex<S> {
  const literal = new Map<string, SubscriptionSet<S>>();
  const lastWild = new Map<string, SubscriptionSet<S>>();
  const root: Node<S> = { children: new Map(), set: undefined };
  const found: SubscriptionSet<S>[] = [];

  const mapOf = (subject: string) => {
    if (!hasWildcard(subject)) return { map: literal, key: subject };
    const prefix = prefixOf(subject);
    return subject.endsWith('.*') && !hasWildcard(prefix) ? { map: lastWild, key: prefix } : undefined;
  };

  return {
    add(subscription) {
      const flat = mapOf(subscription.subject);
      addTo(flat ? flatSet(flat.map, flat.key) : trieSet(root, subscription.subject.split('.')), subscription);
    },
    remove(subscription) {
      const flat = mapOf(subscription.subject);
      if (flat === undefined) return removeFromTrie(root, subscription.subject.split('.'), 0, subscription);
      const set = flat.map.get(flat.key);
      if (set !== undefined && removeFrom(set, subscription)) flat.map.delete(flat.key);
    },
    match(subject) {
      found.length = 0;
      if (!hasWholeTokens(subject)) return found;
      const exact = literal.get(subject);
      if (exact !== undefined) found.push(exact);
      const wild = lastWild.size > 0 ? lastWild.get(prefixOf(subject)) : undefined;
      if (wild !== undefined && subject.includes('.')) found.push(wild);
      if (root.children.size > 0) matchTrie(root, subject.split('.'), 0, found);
      return found;
    },
  };
}

function hasWildcard(subject: string): boolean {
  if (!subject.includes('*') && !subject.includes('>')) return false;
  return subject.split('.').some((token) => token === '*' || token === '>');
}

function prefixOf(subject: string): string {
  return subject.slice(0, Math.max(0, subject.lastIndexOf('.')));
}

function flatSet<S>(map: Map<string, SubscriptionSet<S>>, key: string): SubscriptionSet<S> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const set: SubscriptionSet<S> = { plain: new Set(), queues: new Map() };
  map.set(key, set);
  return set;
}

function trieSet<S>(root: Node<S>, tokens: readonly string[]): SubscriptionSet<S> {
  let node = root;
  for (const token of tokens) {
    let child = node.children.get(token);
    if (child === undefined) {
      child = { children: new Map(), set: undefined };
      node.children.set(token, child);
    }
    node = child;
  }
  node.set ??= { plain: new Set(), queues: new Map() };
  return node.set;
}

function addTo<S extends Indexed>(set: SubscriptionSet<S>, subscription: S): void {
  if (subscription.queue === undefined) {
    set.plain.add(subscription);
    return;
  }
  const group = set.queues.get(subscription.queue);
  if (group === undefined) set.queues.set(subscription.queue, { members: [subscription], next: 0 });
  else group.members.push(subscription);
}

/** Answers whether the set is empty afterwards. */
function removeFrom<S extends Indexed>(set: SubscriptionSet<S>, subscription: S): boolean {
  set.plain.delete(subscription);
  const group = subscription.queue === undefined ? undefined : set.queues.get(subscription.queue);
  if (group !== undefined && subscription.queue !== undefined) {
    const at = group.members.indexOf(subscription);
    if (at !== -1) group.members.splice(at, 1);
    if (group.members.length === 0) set.queues.delete(subscription.queue);
  }
  return set.plain.size === 0 && set.queues.size === 0;
}

function removeFromTrie<S extends Indexed>(node: Node<S>, tokens: readonly string[], depth: number, gone: S): void {
  const token = tokens[depth];
  if (token === undefined) {
    if (node.set !== undefined && removeFrom(node.set, gone)) node.set = undefined;
    return;
  }
  const child = node.children.get(token);
  if (child === undefined) return;
  removeFromTrie(child, tokens, depth + 1, gone);
  if (child.set === undefined && child.children.size === 0) node.children.delete(token);
}

function matchTrie<S>(node: Node<S>, tokens: readonly string[], depth: number, found: SubscriptionSet<S>[]): void {
  const token = tokens[depth];
  if (token === undefined) {
    if (node.set !== undefined) found.push(node.set);
    return;
  }
  const rest = node.children.get('>');
  if (rest?.set !== undefined) found.push(rest.set);
  const any = node.children.get('*');
  if (any !== undefined) matchTrie(any, tokens, depth + 1, found);
  const exact = token === '*' || token === '>' ? undefined : node.children.get(token);
  if (exact !== undefined) matchTrie(exact, tokens, depth + 1, found);
}
