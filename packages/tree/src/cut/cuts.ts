import { pieceStarts } from './pieces.js';

/** A key is an anchor if its priority is the lowest among so many keys before it and so many behind it. */
export const WINDOW = 16;

/** No part has more items. */
export const LARGEST_PART = 128;

/**
 * How many items around a cut of any kind decide about it: more than the window, the largest part and what pieces look
 * at.
 */
export const REACH = 512;

/** Where a part begins. A part that begins at no anchor is a piece of a stretch with more than `LARGEST_PART` items. */
export interface Cut {
  readonly at: number;
  readonly anchor: boolean;
}

/**
 * Where parts of a sequence begin, in order, 0 first. Follows from the keys alone. The ends of the sequence count as
 * anchors: a part between two anchors has at least `WINDOW + 1` items, and 33 on average.
 */
export function cutsOf(keys: readonly string[]): Cut[] {
  const anchors = anchorsOf(keys);
  return anchors.flatMap((at, index) => {
    const end = anchors[index + 1] ?? keys.length;
    const start = { at, anchor: true };
    if (end - at <= LARGEST_PART) return [start];
    return [start, ...pieceStarts(keys.slice(at, end)).map((piece) => ({ at: at + piece, anchor: false }))];
  });
}

function anchorsOf(keys: readonly string[]): number[] {
  if (keys.length === 0) return [];
  const priorities = Uint32Array.from(keys, priorityOf);
  const anchors = [0];
  for (let at = WINDOW + 1; at < keys.length - WINDOW; at++) if (isLowest(priorities, at)) anchors.push(at);
  return anchors;
}

/** Among equal priorities the first one is the lowest. */
function isLowest(priorities: Uint32Array, at: number): boolean {
  const own = priorities[at] ?? 0;
  for (let distance = 1; distance <= WINDOW; distance++) {
    if ((priorities[at - distance] ?? 0) <= own || (priorities[at + distance] ?? 0) < own) return false;
  }
  return true;
}

const { imul } = Math;

/**
 * A number of 32 bits that follows from a key alone and is as good as random: FNV-1a over the code units, then the
 * final mixing of MurmurHash3. It decides only where parts begin, never what is the same, so it need not resist
 * forgery: keys that are made for it are cut by `pieceStarts`.
 */
export function priorityOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    hash = imul(hash ^ (unit & 0xff), 0x01000193);
    hash = imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
