import { AppError, blaming } from '@scriptorium/contracts';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import type { LibraryEvent } from '../library.events.js';
import { childrenOf, deletedAt, isWithin, nodeIn, upwards, type Library, type NodeKind } from '../library.js';
import { deepest, depthIn, requireCollection, requireOpen } from '../place.js';
import { requireStaying } from '../staying.js';

export interface Move {
  id: string;
  /** The collection to put it in, `null` for the top; absent: where it is. */
  parent?: string | null | undefined;
  /** Directly before or after this sibling; neither: at the end. */
  before?: string | undefined;
  after?: string | undefined;
}

/**
 * When a key would be longer, all siblings get new ones, so that keys do not grow for ever; cursors have room for
 * these.
 */
const longestKey = 64;
/** An event has room for the keys of so many siblings. */
const mostAtOnce = 10_000;

/** @throws AppError `position_invalid` naming the field, `no_change` when it stands there */
export function move(state: Library, wanted: Move): LibraryEvent[] {
  requireOpen(state);
  const { id } = wanted;
  const node = nodeIn(state, id);
  if (node === undefined || deletedAt(state, id) !== null) throw new AppError('not_found');
  const parent = wanted.parent === undefined ? node.parent : wanted.parent;
  requireCollection(state, parent, 'body.parent');
  requireStaying(state, id, parent);
  if (node.kind === 'collection') requireRoom(state, id, parent);
  const siblings = childrenOf(state, parent).filter((sibling) => sibling.id !== id);
  const index = indexOf(state, siblings, wanted);
  if (parent === node.parent && isThere(state, { id, parent, siblings, index })) throw new AppError('no_change');
  const order = generateKeyBetween(siblings[index - 1]?.order ?? null, siblings[index]?.order ?? null);
  if (order.length <= longestKey || siblings.length >= mostAtOnce) return [moved(node.kind, { id, parent, order })];
  const keys = generateNKeysBetween(null, null, siblings.length + 1);
  const others = siblings.map((sibling, i) => ({ id: sibling.id, order: keys[i < index ? i : i + 1] ?? '' }));
  return [
    { type: 'LibraryOrderKeysChanged', data: { parent, keys: others } },
    moved(node.kind, { id, parent, order: keys[index] ?? '' }),
  ];
}

/**
 * Moves a space directly after another one that stands in another collection, or at the top. Nothing when both stand in
 * the same place, or one of them is deleted or gone.
 * @throws AppError `conflict` while the space, or where it comes to stand, is being transferred
 */
export function moveBeside(state: Library, { space, beside }: { space: string; beside: string }): LibraryEvent[] {
  const [node, other] = [nodeIn(state, space), nodeIn(state, beside)];
  if (state.closed || node === undefined || other === undefined || node.parent === other.parent) return [];
  if ([space, beside].some((id) => deletedAt(state, id) !== null)) return [];
  return move(state, { id: space, parent: other.parent, after: beside });
}

function moved(kind: NodeKind, { id, ...at }: { id: string; parent: string | null; order: string }): LibraryEvent {
  return kind === 'space'
    ? { type: 'SpaceMoved', data: { space: id, ...at } }
    : { type: 'CollectionMoved', data: { collection: id, ...at } };
}

/** A collection does not come to stand in itself, and nothing too deep. */
function requireRoom(state: Library, id: string, parent: string | null): void {
  if (parent !== null && (parent === id || isWithin(state, parent, id)))
    throw blaming('position_invalid', 'body.parent', 'A collection cannot be in itself');
  const own = upwards(state, id).length;
  const height = keyedEntries(state.nodes)
    .filter(([other, { kind }]) => kind === 'collection' && isWithin(state, other, id))
    .reduce((most, [other]) => Math.max(most, upwards(state, other).length - own), 0);
  if (depthIn(state, parent) + 1 + height > deepest)
    throw blaming('position_invalid', 'body.parent', `Collections are at most ${deepest} deep`);
}

/** Behind how many of the siblings it is wanted. */
function indexOf(state: Library, siblings: readonly { id: string }[], { before, after }: Move): number {
  if (before !== undefined && after !== undefined)
    throw blaming('position_invalid', 'body.position', 'A position is before or after something');
  const beside = before ?? after;
  if (beside === undefined) return siblings.length;
  const index = siblings.findIndex((sibling) => sibling.id === beside && deletedAt(state, sibling.id) === null);
  if (index < 0) throw blaming('position_invalid', 'body.position', 'There is no such space or collection beside it');
  return before === undefined ? index + 1 : index;
}

/** Whether nothing that is shown would stand otherwise. */
function isThere(
  state: Library,
  wanted: { id: string; parent: string | null; siblings: readonly { id: string }[]; index: number },
): boolean {
  const { id, parent, siblings, index } = wanted;
  const isShown = (one: { id: string }): boolean => nodeIn(state, one.id)?.deletedAt === null;
  const now = childrenOf(state, parent).filter(isShown);
  const then = [...siblings.slice(0, index), { id }, ...siblings.slice(index)].filter(isShown);
  return now.every((one, i) => one.id === then[i]?.id);
}
