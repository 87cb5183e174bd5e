import type { Page } from '@scriptorium/contracts';
import type { PageIndex } from '../visit/pages.js';

/** The part of a list of pages that a navigation has. */
export interface TreePart {
  pages: readonly Page[];
  /** How many pages of the list stand before the part, and behind it. */
  before: number;
  behind: number;
}

/** The lists of a navigation by the id of the page that contains them; an empty one is that of the space. */
export type TreeParts = ReadonlyMap<string, TreePart>;

/** Pages that a navigation has at most, whatever the size of the space. */
export const mostInTree = 250;
/** Pages of a list around the one that leads to the present page, at least. */
const leastAround = 20;

/** The pages of a list that a navigation shows. */
export function visibleIn(pages: readonly Page[]): Page[] {
  return pages.filter(({ hidden }) => !hidden);
}

export function childrenOf(page: Page): readonly Page[] {
  return page.type === 'link' ? [] : page.pages;
}

/** The lists on the way to a page, and then as much of the space as there is room for: groups first. Pure. */
export function treeParts(index: PageIndex, current: Page | undefined): TreeParts {
  const way = current === undefined ? [] : [...(index.parents.get(current.id) ?? []), current];
  const parts = new Map<string, TreePart>();
  const most = Math.max(leastAround, Math.floor(mostInTree / (way.length + 1)));
  const top = { id: '', pages: index.pages };
  for (const [place, { id, pages }] of [
    top,
    ...way.map((page) => ({ id: page.id, pages: childrenOf(page) })),
  ].entries())
    parts.set(id, around(visibleIn(pages), way[place]?.id, most));
  fill(parts, [...parts.values()]);
  return parts;
}

/** A part of a list that begins with a page of it, and as much below it as there is room for. Pure. */
export function partFrom(parent: string, pages: readonly Page[], start: number): TreeParts {
  const visible = visibleIn(pages);
  const part = cut(visible, start, mostInTree / 2);
  const parts = new Map([[parent, part]]);
  fill(parts, [part]);
  return parts;
}

function around(pages: readonly Page[], id: string | undefined, most: number): TreePart {
  const place = pages.findIndex((page) => page.id === id);
  return cut(pages, Math.min(place - Math.floor(most / 2), pages.length - most), most);
}

function cut(pages: readonly Page[], from: number, most: number): TreePart {
  const before = Math.min(Math.max(0, from), pages.length);
  const part = pages.slice(before, before + most);
  return { pages: part, before, behind: Math.max(0, pages.length - before - part.length) };
}

/** Adds whole lists, from the top down, as long as there is room: what a group has is shown, what a page has opens. */
function fill(parts: Map<string, TreePart>, begin: readonly TreePart[]): void {
  let room = mostInTree - begin.reduce((sum, { pages }) => sum + pages.length, 0);
  const add = (page: Page, queue: TreePart[]): void => {
    const list = visibleIn(childrenOf(page));
    if (parts.has(page.id) || list.length === 0 || list.length > room) return;
    const part = { pages: list, before: 0, behind: 0 };
    parts.set(page.id, part);
    queue.push(part);
    room -= list.length;
  };
  for (const isMeant of [isGroup, () => true]) {
    const queue = [...parts.values()];
    // The queue grows while it is gone through.
    for (let at = 0; at < queue.length && room > 0; at += 1)
      for (const page of (queue[at]?.pages ?? []).filter(isMeant)) add(page, queue);
  }
}

function isGroup({ type }: Page): boolean {
  return type === 'group';
}
