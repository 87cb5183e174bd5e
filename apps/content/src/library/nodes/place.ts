import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import { generateKeyBetween } from 'fractional-indexing';
import type { LibraryEvent } from './library.events.js';
import { childrenOf, deletedAt, nodeIn, upwards, type Library } from './library.js';
import { requireStaying } from './staying.js';

/** Collections that stand in each other, at most. */
export const deepest = 10;

/**
 * Adds a space at the end of a collection, or of the top. `limit`: spaces that an organization can have, with those
 * that can be restored.
 */
export function addSpace(
  state: Library,
  { space, parent, limit }: { space: string; parent: string | null; limit: number },
): LibraryEvent[] {
  requireOpen(state);
  if (nodeIn(state, space) !== undefined) throw new AppError('already_exists');
  requireCollection(state, parent, 'body.parent');
  requireStaying(state, parent);
  if (state.counts.space >= limit) throw limitReached('spacesPerOrganization', limit);
  return [{ type: 'SpaceAdded', data: { space, parent, order: lastOrder(state, parent) } }];
}

/** Adds a collection at the end of another one, or of the top. `limit`: collections that an organization can have. */
export function addCollection(
  state: Library,
  { collection, parent, limit }: { collection: string; parent: string | null; limit: number },
): LibraryEvent[] {
  requireOpen(state);
  if (nodeIn(state, collection) !== undefined) throw new AppError('already_exists');
  requireCollection(state, parent, 'body.parent');
  requireStaying(state, parent);
  if (depthIn(state, parent) >= deepest)
    throw blaming('position_invalid', 'body.parent', `Collections are at most ${deepest} deep`);
  if (state.counts.collection >= limit) throw limitReached('collectionsPerOrganization', limit);
  return [{ type: 'CollectionAdded', data: { collection, parent, order: lastOrder(state, parent) } }];
}

/** How many collections contain what stands in `parent`. */
export function depthIn(state: Library, parent: string | null): number {
  return parent === null ? 0 : upwards(state, parent).length;
}

/** A library of a deleted organization takes nothing in. @throws AppError `not_found` */
export function requireOpen({ closed }: Library): void {
  if (closed) throw new AppError('not_found');
}

/**
 * What a space or collection is put in has to be a collection that is there. @throws AppError `not_found` naming the
 * field
 */
export function requireCollection(state: Library, id: string | null, path: string): void {
  if (id === null) return;
  if (nodeIn(state, id)?.kind !== 'collection' || deletedAt(state, id) !== null)
    throw blaming('not_found', path, 'There is no such collection');
}

/** The order key behind all that stands in a collection, or at the top. */
export function lastOrder(state: Library, parent: string | null): string {
  return generateKeyBetween(childrenOf(state, parent).at(-1)?.order ?? null, null);
}
