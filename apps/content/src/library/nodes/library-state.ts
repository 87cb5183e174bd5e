import { longestChain } from '@scriptorium/access';
import { emptyKeyed, keyedDrop, keyedEntries, keyedGet, keyedPut, type Keyed } from '@scriptorium/event-sourcing';

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

/** A transfer to another organization that has not ended. */
export interface Departure {
  /** What is transferred, with everything in it. */
  node: string;
  to: string;
  /** The collection of the other organization to put it in; `null`: its top. */
  parent: string | null;
}

/** What has become of a transfer from another organization. It is never forgotten, so that nothing comes in twice. */
export type Arrival =
  /** Everything is here; the streams of these have not all followed. */
  | { status: 'entered'; from: string; nodes: readonly { id: string; kind: NodeKind }[] }
  | { status: 'refused' | 'settled' };

/**
 * The spaces and collections of an organization: where they stand, and which of them are deleted. Those that were
 * purged are gone.
 */
export interface Library {
  /** The organization was deleted. */
  closed: boolean;
  nodes: Keyed<LibraryNode>;
  counts: Readonly<Record<NodeKind, number>>;
  /** By id of the transfer. */
  departures: Keyed<Departure>;
  /** By id of the transfer. */
  arrivals: Keyed<Arrival>;
  /** The organizations to which nodes were transferred from here, by id of the node. */
  left: Keyed<string>;
}

export const emptyLibrary: Library = {
  closed: false,
  nodes: emptyKeyed,
  counts: { space: 0, collection: 0 },
  departures: emptyKeyed,
  arrivals: emptyKeyed,
  left: emptyKeyed,
};

export function newNode(kind: NodeKind): LibraryNode {
  return { kind, parent: null, order: '', deletedAt: null, purging: false };
}

export function knownNode({ nodes }: Library, id: string, kind: NodeKind): LibraryNode {
  return keyedGet(nodes, id) ?? newNode(kind);
}

export function putNode(state: Library, id: string, node: LibraryNode): Library {
  const isNew = keyedGet(state.nodes, id) === undefined;
  const counts = isNew ? { ...state.counts, [node.kind]: state.counts[node.kind] + 1 } : state.counts;
  return { ...state, nodes: keyedPut(state.nodes, id, node), counts };
}

export function changeNode(state: Library, id: string, fields: Partial<LibraryNode>): Library {
  const node = keyedGet(state.nodes, id);
  return node === undefined ? state : { ...state, nodes: keyedPut(state.nodes, id, { ...node, ...fields }) };
}

export function dropNode(state: Library, id: string): Library {
  const node = keyedGet(state.nodes, id);
  if (node === undefined) return state;
  const counts = { ...state.counts, [node.kind]: state.counts[node.kind] - 1 };
  return { ...state, nodes: keyedDrop(state.nodes, id), counts };
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
