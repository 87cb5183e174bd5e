import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import { keyedEntries, keyedGet } from '@scriptorium/event-sourcing';
import type { LibraryEvent } from '../library.events.js';
import { deletedAt, isWithin, nodeIn, upwards, within, type Library, type NodeKind } from '../library.js';
import { deepest, depthIn, lastOrder, requireCollection, requireOpen } from '../place.js';
import { isLeaving, requireStaying } from '../staying.js';

/** Spaces and collections that are transferred at once: one event names all of them. */
export const mostTransferred = 5_000;

/** A space or collection on its way from one library to another. */
export type TransferredNode = Extract<LibraryEvent, { type: 'TransferEntered' }>['data']['nodes'][number];

/**
 * What a transfer takes along: the node, and everything in it, deleted or not; what contains others stands before
 * these.
 * @throws AppError `not_found`, `conflict` for what is being transferred or purged at the moment, `cannot_move` for too
 * much
 */
export function requireTransferable(state: Library, node: string): TransferredNode[] {
  requireOpen(state);
  if (nodeIn(state, node) === undefined || deletedAt(state, node) !== null) throw new AppError('not_found');
  requireStaying(state, node);
  const isInside = (id: string): boolean => id === node || isWithin(state, id, node);
  const isArriving = keyedEntries(state.arrivals).some(
    ([, arrival]) => arrival.status === 'entered' && arrival.nodes.some(({ id }) => isInside(id)),
  );
  if (isArriving || keyedEntries(state.departures).some(([, { node: other }]) => isInside(other)))
    throw busy('Something of it is being transferred at this moment');
  if (keyedEntries(state.nodes).some(([id, { purging }]) => purging && isInside(id)))
    throw busy('Something in it is being deleted for good at this moment');
  const nodes = nodesOf(state, node);
  if (nodes.length > mostTransferred)
    throw new AppError('cannot_move', [], {
      message: `At most ${mostTransferred} spaces and collections are transferred at once`,
    });
  return nodes;
}

function busy(message: string): AppError {
  return new AppError('conflict', [], { message, retryAfter: 1 });
}

function nodesOf(state: Library, node: string): TransferredNode[] {
  return [{ id: node }, ...within(state, node)]
    .flatMap(({ id }) => {
      const found = nodeIn(state, id);
      return found === undefined ? [] : [{ id, ...found, depth: upwards(state, id).length }];
    })
    .sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1))
    .map(({ id, kind, parent, order, deletedAt: deleted }) => ({ id, kind, parent, order, deletedAt: deleted }));
}

/** A transfer as the library that it leaves knows it. */
interface Begun {
  transfer: string;
  node: string;
  to: string;
  parent: string | null;
}

/**
 * From here on nothing of the node changes until the transfer has ended. @throws AppError as `requireTransferable` does
 */
export function beginTransfer(state: Library, begun: Begun): LibraryEvent[] {
  if (keyedGet(state.departures, begun.transfer) !== undefined) return [];
  requireTransferable(state, begun.node);
  return [{ type: 'TransferBegan', data: begun }];
}

/** An open transfer with what it takes along; `undefined` for one that has ended. */
export function openTransfer(state: Library, transfer: string): (Begun & { nodes: TransferredNode[] }) | undefined {
  const departure = keyedGet(state.departures, transfer);
  return departure && { transfer, ...departure, nodes: nodesOf(state, departure.node) };
}

/** Open transfers of what a purge is about, or that contain or take along something of that. `node`: `null` for all. */
export function openTransfersOf(state: Library, node: string | null): string[] {
  return keyedEntries(state.departures)
    .filter(([, { node: leaving }]) => node === null || isLeaving(state, node) || isWithin(state, leaving, node))
    .map(([transfer]) => transfer);
}

/** What comes into a library, and where to. */
export interface Entry {
  nodes: readonly TransferredNode[];
  parent: string | null;
  limits: { spacesPerOrganization: number; collectionsPerOrganization: number };
}

/**
 * @throws AppError `not_found` for an organization or collection that is gone, `limit_reached`, `position_invalid`,
 * `conflict`
 */
export function requireEntry(state: Library, { nodes, parent, limits }: Entry): void {
  if (state.closed) throw blaming('not_found', 'body.organization', 'There is no such organization');
  requireCollection(state, parent, 'body.parent');
  requireStaying(state, parent);
  if (nodes.some(({ id }) => keyedGet(state.nodes, id) !== undefined)) throw busy('It is there already');
  const more = (kind: NodeKind): number => nodes.filter((node) => node.kind === kind).length;
  if (state.counts.space + more('space') > limits.spacesPerOrganization)
    throw limitReached('spacesPerOrganization', limits.spacesPerOrganization);
  if (state.counts.collection + more('collection') > limits.collectionsPerOrganization)
    throw limitReached('collectionsPerOrganization', limits.collectionsPerOrganization);
  if (depthIn(state, parent) + heightOf(nodes) > deepest)
    throw blaming('position_invalid', 'body.parent', `Collections are at most ${deepest} deep`);
}

/** How many collections stand in each other. */
function heightOf(nodes: readonly TransferredNode[]): number {
  const heights = new Map<string, number>();
  for (const { id, kind, parent } of nodes)
    if (kind === 'collection') heights.set(id, (heights.get(parent ?? '') ?? 0) + 1);
  return Math.max(0, ...heights.values());
}

/**
 * Takes in what another organization transfers, or refuses it; nothing when one of these has happened. `isWanted`:
 * false when the other organization is gone.
 */
export function enter(
  state: Library,
  { transfer, from, isWanted, ...entry }: Entry & { transfer: string; from: string; isWanted: boolean },
): LibraryEvent[] {
  if (keyedGet(state.arrivals, transfer) !== undefined) return [];
  const refused: LibraryEvent[] = [{ type: 'TransferRefused', data: { transfer, from } }];
  if (!isWanted) return refused;
  try {
    requireEntry(state, entry);
  } catch (error) {
    if (error instanceof AppError) return refused;
    throw error;
  }
  const { parent } = entry;
  const [first, ...rest] = entry.nodes;
  if (first === undefined) return refused;
  const nodes = [{ ...first, parent, order: lastOrder(state, parent) }, ...rest];
  return [{ type: 'TransferEntered', data: { transfer, from, nodes } }];
}

/** The other organization has it. Nothing when the transfer has ended. */
export function leave(state: Library, { transfer }: { transfer: string }): LibraryEvent[] {
  const departure = keyedGet(state.departures, transfer);
  if (departure === undefined) return [];
  const { node: id, to } = departure;
  return keyedGet(state.nodes, id)?.kind === 'collection'
    ? [{ type: 'CollectionLeft', data: { collection: id, to, transfer } }]
    : [{ type: 'SpaceLeft', data: { space: id, to, transfer } }];
}

/** The other organization has refused it. Nothing when the transfer has ended. */
export function abandon(state: Library, { transfer }: { transfer: string }): LibraryEvent[] {
  return keyedGet(state.departures, transfer) === undefined ? [] : [{ type: 'TransferAbandoned', data: { transfer } }];
}

/** All streams have followed. */
export function settle(state: Library, { transfer }: { transfer: string }): LibraryEvent[] {
  return keyedGet(state.arrivals, transfer)?.status === 'entered'
    ? [{ type: 'TransferSettled', data: { transfer } }]
    : [];
}
