import { createHash } from 'node:crypto';
import { TreeError } from './error.js';
import { canonical, DEEPEST, type Json, NotJsonError } from './json.js';
import { type Cut } from './cut/cuts.js';

/** A key and its value. */
export type Entry = readonly [key: string, value: Json];

/**
 * A part as its parent names it: the key from which on it holds entries (`''` for the first part of a level), its name,
 * and how many entries are below it. A fourth element marks a part that begins inside a stretch which had to be cut
 * otherwise.
 */
export type Child = readonly [first: string, name: string, count: number, cut?: 1];

/** A part at the bottom: entries in the order of their keys. */
export interface Leaf {
  readonly entries: readonly Entry[];
}

/** A part above: children in order; `level` is 1 above leaves. */
export interface Inner {
  readonly children: readonly Child[];
  readonly level: number;
}

export type Part = Leaf | Inner;

/** A part that has just been made, to be stored: `text` is its canonical JSON, `name` the SHA-256 of it. */
export interface NewPart {
  readonly name: string;
  readonly text: string;
  readonly part: Part;
}

/** Where parts are read from: answers those it has, by name. The tree reads in batches and keeps nothing. */
export interface Parts {
  get(names: readonly string[]): Promise<ReadonlyMap<string, Part>>;
}

export const isLeaf = (part: Part): part is Leaf => 'entries' in part;

/** 0 for a leaf. */
export const levelOf = (part: Part): number => (isLeaf(part) ? 0 : part.level);

/** How many entries are in a part or below it. */
export function countOf(part: Part): number {
  return isLeaf(part) ? part.entries.length : part.children.reduce((sum, [, , count]) => sum + count, 0);
}

/**
 * The canonical JSON of a part: equal parts have equal texts. Throws `TreeError` (`part_invalid`) if it holds what is
 * no JSON.
 */
export function encodePart(part: Part): string {
  try {
    return canonical(part, DEEPEST + LEVELS_OF_PART);
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new TreeError('part_invalid', `A part must be JSON: ${error.message}`);
  }
}

/** Around a value there are its entry, the list of entries and the part. */
const LEVELS_OF_PART = 3;

/**
 * The name of a part: SHA-256 of its canonical JSON in UTF-8, 64 hexadecimal digits. A part is whole if this is its
 * name. Throws what `encodePart` throws.
 */
export const nameOf = (part: Part): string => nameOfText(encodePart(part));

/** The part with its text and its name. */
function newPart(part: Part): NewPart {
  const text = encodePart(part);
  return { name: nameOfText(text), text, part };
}

/** The name of a text: its SHA-256, 64 hexadecimal digits. */
export const nameOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The root of the map without entries. It is never stored and never read. */
export const EMPTY_ROOT = nameOf({ entries: [] });

/**
 * A part from its text. Throws `TreeError` (`part_invalid`) if the text is none; whether it is whole, `nameOf` says.
 */
export function decodePart(text: string): Part {
  const value = parsed(text);
  if (isRecord(value)) {
    const { entries, children, level } = value;
    if (Array.isArray(entries) && isAscending(entries) && entries.every(isEntry)) return { entries };
    if (Array.isArray(children) && isAscending(children) && children.every(isChild) && isLevel(level))
      return { children, level };
  }
  throw new TreeError('part_invalid', 'Not the text of a part');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isLevel = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

const isEntry = (item: unknown): item is Entry => Array.isArray(item) && item.length === 2;

const isChild = (item: unknown): item is Child =>
  Array.isArray(item) &&
  typeof item[1] === 'string' &&
  Number.isInteger(item[2]) &&
  (item.length === 3 || (item.length === 4 && item[3] === 1));

/** Whether all items begin with a string and each of these is greater than the one before. */
function isAscending(items: readonly unknown[]): boolean {
  let previous: string | undefined;
  return items.every((item) => {
    const key: unknown = Array.isArray(item) ? item[0] : undefined;
    if (typeof key !== 'string' || (previous !== undefined && key <= previous)) return false;
    previous = key;
    return true;
  });
}

/** What a level consists of: entries, or children. */
export type Item = Entry | Child;

/** A tree that was made: its root, and the parts of it that are to be stored because they are new. */
export interface Written {
  readonly root: string;
  readonly parts: readonly NewPart[];
}

/** A part and what its parent says of it. */
export interface Made {
  readonly child: Child;
  readonly part: NewPart;
}

/** The part of items that follow each other at a level. */
export function makePart(items: readonly Item[], level: number, first: string, anchor: boolean): Made {
  const part = newPart(
    level === 0 ? { entries: items as readonly Entry[] } : { children: items as readonly Child[], level },
  );
  return { part, child: childOf(first, part.name, countOf(part.part), anchor) };
}

export const childOf = (first: string, name: string, count: number, anchor: boolean): Child =>
  anchor ? [first, name, count] : [first, name, count, 1];

/** The key that a part of a level begins with: the first of all stands for whatever may come before it. */
export const firstKey = (items: readonly Item[], { at }: Cut, isStart: boolean): string =>
  isStart && at === 0 ? '' : (items[at]?.[0] ?? '');

/** Parts of nothing: what a new tree is laid over. */
export const noParts: Parts = { get: () => Promise.resolve(new Map()) };

/**
 * Parts that are not stored yet over those that are: what `build`, `apply` and `merge` have made can be read and edited
 * before it is written. Asks `parts` only for what is not among the new ones.
 */
export function layered(parts: Parts, newParts: Iterable<NewPart>): Parts {
  return overlaid(parts, new Map([...newParts].map(({ name, part }) => [name, part])));
}

/** Parts at hand over those of a port. */
export const overlaid = (parts: Parts, atHand: ReadonlyMap<string, Part>): Parts => ({
  get: async (names) => {
    const others = names.filter((name) => !atHand.has(name));
    const found = new Map(others.length === 0 ? [] : await parts.get(others));
    for (const name of names) {
      const part = atHand.get(name);
      if (part !== undefined) found.set(name, part);
    }
    return found;
  },
});

/** The same parts behind a cache, so that one call reads each part once. */
export function withPartCache(parts: Parts): Parts {
  const cache = new Map<string, Part>();
  return {
    get: async (names) => {
      const missing = names.filter((name) => !cache.has(name));
      if (missing.length > 0) for (const [name, part] of await parts.get(missing)) cache.set(name, part);
      return cache;
    },
  };
}
