import { type Cut } from './cut/cuts.js';
import { type Child, countOf, type Entry, newPart, type NewPart } from './part.js';

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
