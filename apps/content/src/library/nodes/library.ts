import { longestChain } from '@scriptorium/access';
import { defineAggregate, keyedEntries, keyedGet, unchanged, type Metadata } from '@scriptorium/event-sourcing';
import { libraryEvents, type LibraryEvent } from './library.events.js';
import {
  changeNode,
  dropNode,
  emptyLibrary,
  knownNode,
  newNode,
  putNode,
  type Library,
  type LibraryNode,
  type NodeKind,
} from './library-state.js';
import { afterTransfer, isOfTransfer } from './transfer-state.js';

export { isWithin, within, type Library, type NodeKind } from './library-state.js';

function evolve(state: Library, event: LibraryEvent, { time }: Metadata): Library {
  if (isOfTransfer(event)) return afterTransfer(state, event);
  switch (event.type) {
    case 'SpaceAdded':
      return putNode(state, event.data.space, { ...newNode('space'), ...placeIn(event.data) });
    case 'CollectionAdded':
      return putNode(state, event.data.collection, { ...newNode('collection'), ...placeIn(event.data) });
    case 'SpaceMoved':
      return changeNode(state, event.data.space, placeIn(event.data));
    case 'SpaceRestored':
      return changeNode(state, event.data.space, { ...placeIn(event.data), deletedAt: null });
    case 'CollectionMoved':
      return changeNode(state, event.data.collection, placeIn(event.data));
    case 'SpaceDeleted':
      return changeNode(state, event.data.space, { deletedAt: time });
    case 'CollectionDeleted':
      return changeNode(state, event.data.collection, { deletedAt: time });
    case 'SpacePurgeBegan':
      return purging(state, event.data.space, 'space');
    case 'CollectionPurgeBegan':
      return purging(state, event.data.collection, 'collection');
    case 'SpacePurged':
      return dropNode(state, event.data.space);
    case 'CollectionPurged':
      return dropNode(state, event.data.collection);
    case 'LibraryOrderKeysChanged':
      return event.data.keys.reduce((next, { id, order }) => changeNode(next, id, { order }), state);
    case 'LibraryClosed':
      return { ...state, closed: true };
    default:
      return unchanged(state, event);
  }
}

function placeIn({ parent, order }: { parent: string | null; order: string }) {
  return { parent, order };
}

/** Also what was never added: it is remembered until its stream is gone. */
function purging(state: Library, id: string, kind: NodeKind): Library {
  return putNode(state, id, { ...knownNode(state, id, kind), purging: true });
}

/** What an organization has, one stream each. It begins with the first space or collection. */
export const library = defineAggregate({
  service: 'content',
  entity: 'library',
  events: libraryEvents,
  initial: emptyLibrary,
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
