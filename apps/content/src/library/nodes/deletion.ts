import { AppError } from '@scriptorium/contracts';
import { keyedEntries, keyedGet } from '@scriptorium/event-sourcing';
import type { LibraryEvent } from './library.events.js';
import { deletedAt, isWithin, nodeIn, upwards, type Library, type NodeKind } from './library.js';
import { lastOrder, requireOpen } from './place.js';
import { isLeaving, requireStaying } from './staying.js';

/** For how long (ms) what was deleted can be restored. */
export const recoverableForMs = 7 * 86_400_000;

/** Whether what was deleted at a moment can still be restored. */
export function isRecoverable(deleted: string, now: number): boolean {
  return now < Date.parse(deleted) + recoverableForMs;
}

/** When what was deleted at a moment is removed for good. */
export function purgeAt(deleted: string): string {
  return new Date(Date.parse(deleted) + recoverableForMs).toISOString();
}

export function deleteSpace(state: Library, { space }: { space: string }): LibraryEvent[] {
  if (nodeIn(state, space)?.kind !== 'space' || deletedAt(state, space) !== null) return [];
  requireStaying(state, space);
  return [{ type: 'SpaceDeleted', data: { space } }];
}

export function deleteCollection(state: Library, { collection }: { collection: string }): LibraryEvent[] {
  if (nodeIn(state, collection)?.kind !== 'collection' || deletedAt(state, collection) !== null) return [];
  requireStaying(state, collection);
  return [{ type: 'CollectionDeleted', data: { collection } }];
}

/**
 * Where a space comes to stand when it is restored: where it was, or at the end of the top when its collection is gone.
 */
export function restoredPlace(state: Library, space: string): { parent: string | null; order: string } | undefined {
  const node = nodeIn(state, space);
  if (node === undefined) return undefined;
  const { parent, order } = node;
  const isHome = parent === null || (nodeIn(state, parent) !== undefined && deletedAt(state, parent) === null);
  return isHome ? { parent, order } : { parent: null, order: lastOrder(state, null) };
}

/** @throws AppError `not_found` from the seventh day on, `no_change` for a space that is not deleted */
export function restore(state: Library, { space, now }: { space: string; now: number }): LibraryEvent[] {
  requireOpen(state);
  const place = restoredPlace(state, space);
  const deleted = deletedAt(state, space);
  if (place === undefined || (deleted !== null && !isRecoverable(deleted, now))) throw new AppError('not_found');
  if (deleted === null) throw new AppError('no_change', [], { message: 'The space is not deleted' });
  requireStaying(state, space);
  return [{ type: 'SpaceRestored', data: { space, ...place } }];
}

/** The organization was deleted. */
export function close({ closed }: Library): LibraryEvent[] {
  return closed ? [] : [{ type: 'LibraryClosed', data: {} }];
}

/**
 * What a purge is about: everything that was deleted with a node at a moment, or, of a deleted organization,
 * everything.
 */
export type PurgeTarget = { node: string; deletedAt: string } | { node: null };

/**
 * The nodes that a purge still has to remove, those within others first. Nothing when the node was restored, or was
 * deleted again later: that deletion has a purge of its own.
 */
export function purgeable(state: Library, target: PurgeTarget): { id: string; kind: NodeKind }[] {
  if (target.node === null ? !state.closed : !isDue(state, target)) return [];
  return (
    keyedEntries(state.nodes)
      .filter(([id]) => target.node === null || id === target.node || isWithin(state, id, target.node))
      // What another organization may have by now is not deleted here.
      .filter(([id]) => !isLeaving(state, id))
      .map(([id, { kind }]) => ({ id, kind, depth: upwards(state, id).length }))
      .sort((a, b) => b.depth - a.depth || (a.id < b.id ? -1 : 1))
      .map(({ id, kind }) => ({ id, kind }))
  );
}

function isDue(state: Library, target: { node: string; deletedAt: string }): boolean {
  const node = keyedGet(state.nodes, target.node);
  return node !== undefined && (node.purging || node.deletedAt === target.deletedAt);
}

type Node = { id: string; kind: NodeKind };

/** From here on nobody can restore them. */
export function beginPurge(state: Library, nodes: readonly Node[]): LibraryEvent[] {
  return nodes
    .filter(({ id }) => keyedGet(state.nodes, id)?.purging !== true)
    .map(({ id, kind }) =>
      kind === 'space'
        ? { type: 'SpacePurgeBegan', data: { space: id } }
        : { type: 'CollectionPurgeBegan', data: { collection: id } },
    );
}

/** What belonged to them is gone. */
export function endPurge(state: Library, nodes: readonly Node[]): LibraryEvent[] {
  return nodes
    .filter(({ id }) => keyedGet(state.nodes, id) !== undefined)
    .map(({ id, kind }) =>
      kind === 'space'
        ? { type: 'SpacePurged', data: { space: id } }
        : { type: 'CollectionPurged', data: { collection: id } },
    );
}
