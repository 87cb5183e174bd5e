import { longestChain } from '@scriptorium/access';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedEntries,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
  type Metadata,
} from '@scriptorium/event-sourcing';
import { libraryEvents, type LibraryEvent } from '../events/index.js';

export type NodeKind = 'space' | 'collection';

/** A space or collection as the library of its organization knows it. */
export interface LibraryNode {
  kind: NodeKind;
  /** The collection it stands in; `null` at the top. */
  parent: string | null;
  /** Sorts siblings, of both kinds together, as plain text. */
  order: string;
  /** When it was deleted itself; it counts as deleted as well while a parent is. */
  deletedAt: string | null;
  /** What belongs to it is being deleted. */
  purging: boolean;
}

/** The spaces and collections of an organization: where they stand, and which of them are deleted. Those that were purged are gone. */
export interface Library {
  /** The organization was deleted. */
  closed: boolean;
  nodes: Keyed<LibraryNode>;
  counts: Readonly<Record<NodeKind, number>>;
}

function evolve(state: Library, event: LibraryEvent, { time }: Metadata): Library {
  switch (event.type) {
    case 'SpaceAdded':
      return put(state, event.data.space, { ...newNode('space'), parent: event.data.parent, order: event.data.order });
    case 'CollectionAdded':
      return put(state, event.data.collection, {
        ...newNode('collection'),
        parent: event.data.parent,
        order: event.data.order,
      });
    case 'SpaceMoved':
      return change(state, event.data.space, { parent: event.data.parent, order: event.data.order });
    case 'SpaceRestored':
      return change(state, event.data.space, { parent: event.data.parent, order: event.data.order, deletedAt: null });
    case 'CollectionMoved':
      return change(state, event.data.collection, { parent: event.data.parent, order: event.data.order });
    case 'SpaceDeleted':
      return change(state, event.data.space, { deletedAt: time });
    case 'CollectionDeleted':
      return change(state, event.data.collection, { deletedAt: time });
    case 'SpacePurgeBegan':
      // Also of one that was never added: it is remembered until its stream is gone.
      return put(state, event.data.space, { ...known(state, event.data.space, 'space'), purging: true });
    case 'CollectionPurgeBegan':
      return put(state, event.data.collection, { ...known(state, event.data.collection, 'collection'), purging: true });
    case 'SpacePurged':
      return drop(state, event.data.space);
    case 'CollectionPurged':
      return drop(state, event.data.collection);
    case 'LibraryOrderKeysChanged':
      return event.data.keys.reduce((next, { id, order }) => change(next, id, { order }), state);
    case 'LibraryClosed':
      return { ...state, closed: true };
    default:
      return unchanged(state, event);
  }
}

function newNode(kind: NodeKind): LibraryNode {
  return { kind, parent: null, order: '', deletedAt: null, purging: false };
}

function known({ nodes }: Library, id: string, kind: NodeKind): LibraryNode {
  return keyedGet(nodes, id) ?? newNode(kind);
}

function put(state: Library, id: string, node: LibraryNode): Library {
  const isNew = keyedGet(state.nodes, id) === undefined;
  const counts = isNew ? { ...state.counts, [node.kind]: state.counts[node.kind] + 1 } : state.counts;
  return { ...state, nodes: keyedPut(state.nodes, id, node), counts };
}

function change(state: Library, id: string, fields: Partial<LibraryNode>): Library {
  const node = keyedGet(state.nodes, id);
  return node === undefined ? state : { ...state, nodes: keyedPut(state.nodes, id, { ...node, ...fields }) };
}

function drop(state: Library, id: string): Library {
  const node = keyedGet(state.nodes, id);
  if (node === undefined) return state;
  const counts = { ...state.counts, [node.kind]: state.counts[node.kind] - 1 };
  return { ...state, nodes: keyedDrop(state.nodes, id), counts };
}

/** What an organization has, one stream each. It begins with the first space or collection. */
export const library = defineAggregate({
  service: 'content',
  entity: 'library',
  events: libraryEvents,
  initial: { closed: false, nodes: emptyKeyed, counts: { space: 0, collection: 0 } },
  evolve,
});

/** A node that is there and not being purged, deleted or not. */
export function nodeIn({ nodes }: Library, id: string): LibraryNode | undefined {
  const node = keyedGet(nodes, id);
  return node?.purging === true ? undefined : node;
}

/** The node and those that contain it, the nearest first. */
export function upwards({ nodes }: Library, id: string): (LibraryNode & { id: string })[] {
  const chain: (LibraryNode & { id: string })[] = [];
  let next: string | null = id;
  while (next !== null && chain.length < longestChain) {
    const node: LibraryNode | undefined = keyedGet(nodes, next);
    if (node === undefined) break;
    chain.push({ ...node, id: next });
    next = node.parent;
  }
  return chain;
}

/** Whether a node stands in a collection, at any depth. */
export function isWithin({ nodes }: Library, id: string, collection: string): boolean {
  let parent = keyedGet(nodes, id)?.parent ?? null;
  for (let steps = 0; parent !== null && steps < longestChain; steps += 1) {
    if (parent === collection) return true;
    parent = keyedGet(nodes, parent)?.parent ?? null;
  }
  return false;
}

/** What stands in a collection, at any depth, deleted or not. */
export function within(state: Library, collection: string): { id: string; kind: NodeKind }[] {
  return keyedEntries(state.nodes)
    .filter(([id, { purging }]) => !purging && isWithin(state, id, collection))
    .map(([id, { kind }]) => ({ id, kind }));
}

/** When a node was deleted, itself or with a collection that contains it; `null` when it was not, or is unknown. */
export function deletedAt(state: Library, id: string): string | null {
  return upwards(state, id).find((node) => node.deletedAt !== null)?.deletedAt ?? null;
}

/** What stands directly in a collection, or at the top, in its order, deleted or not. */
export function childrenOf({ nodes }: Library, parent: string | null): { id: string; order: string }[] {
  return keyedEntries(nodes)
    .filter(([, node]) => node.parent === parent && !node.purging)
    .map(([id, { order }]) => ({ id, order }))
    .sort((a, b) => (a.order === b.order ? (a.id < b.id ? -1 : 1) : a.order < b.order ? -1 : 1));
}
