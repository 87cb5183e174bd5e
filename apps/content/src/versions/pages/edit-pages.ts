import type { Json } from '@scriptorium/tree';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import type { Draft } from '../object-store/index.js';
import { childIds, findPage, findPages, withDescendants, type Page } from './pages.js';
import { keys, type PageRecord } from './records.js';
import { freeSlug } from './slugs.js';

/**
 * Where a page is put: in a page or group, or at the top, before the page that is `at` this place; at the end unless
 * given.
 */
export interface PagePlace {
  parent: string | undefined;
  at?: number | undefined;
}

/** Longer sort keys are made anew, with those of all siblings. */
export const longestOrder = 64;

/** Adds a page. Its slug gets a number if another page there has it. */
export async function addPage(
  draft: Draft,
  id: string,
  page: Omit<PageRecord, 'parent' | 'order'>,
  place: PagePlace,
): Promise<Page> {
  const order = await orderAt(draft, place);
  return store(draft, { ...page, id, ...(place.parent === undefined ? {} : { parent: place.parent }), order });
}

/** Replaces a page by its next state, which stands at the same place. */
export async function replacePage(draft: Draft, before: Page, next: Page): Promise<Page> {
  if (before.slug !== undefined) draft.remove(keys.slug(before.parent, before.slug));
  return store(draft, next);
}

/** Puts a page, with everything in it, somewhere else. */
export async function movePage(draft: Draft, page: Page, place: PagePlace): Promise<Page> {
  draft.remove(keys.child(page.parent, page.order, page.id));
  if (page.slug !== undefined) draft.remove(keys.slug(page.parent, page.slug));
  const order = await orderAt(draft, place);
  const { parent: _, ...rest } = page;
  return store(draft, { ...rest, ...(place.parent === undefined ? {} : { parent: place.parent }), order });
}

/** Removes a page with everything in it; what was removed. */
export async function removePages(draft: Draft, page: Page): Promise<Page[]> {
  const all = await withDescendants(draft, page);
  for (const one of all) dropPage(draft, one);
  return all;
}

/** Removes a group. What was in it takes its place at the top; these pages as they are now. */
export async function dissolveGroup(draft: Draft, group: Page): Promise<Page[]> {
  const children = [...(await findPages(draft, await childIds(draft, group.id))).values()];
  const top = await childIds(draft, group.parent);
  const at = top.indexOf(group.id);
  dropPage(draft, group);
  const moved: Page[] = [];
  for (const [index, child] of children.sort(byOrder).entries())
    moved.push(await movePage(draft, child, { parent: group.parent, at: at + index }));
  return moved;
}

function byOrder(a: Page, b: Page): number {
  return a.order < b.order ? -1 : 1;
}

/** Removes a page alone, without what is in it. */
export function dropPage(draft: Draft, { id, parent, order, slug }: Page): void {
  draft.remove(keys.page(id));
  draft.remove(keys.child(parent, order, id));
  if (slug !== undefined) draft.remove(keys.slug(parent, slug));
}

async function store(draft: Draft, { id, ...page }: Page): Promise<Page> {
  const { parent } = page;
  const slug = page.slug === undefined ? undefined : await freeSlug(draft, { parent, slug: page.slug, id });
  return putPage(draft, { ...page, id, ...(slug === undefined ? {} : { slug }) });
}

/**
 * Puts pages whose places and orders are settled. A slug that another page there has gets a number; those before it
 * count first.
 */
export async function putPages(draft: Draft, pages: readonly Page[]): Promise<void> {
  const wanted = new Map<string, string>();
  for (const { id, parent, slug } of pages) {
    const key = slug === undefined ? undefined : keys.slug(parent, slug);
    if (key !== undefined && !wanted.has(key)) wanted.set(key, id);
  }
  const taken = await draft.getMany([...wanted.keys()]);
  const isFree = ({ id, parent, slug }: Page): boolean => {
    const key = slug === undefined ? undefined : keys.slug(parent, slug);
    return key === undefined || (wanted.get(key) === id && (taken.get(key) ?? id) === id);
  };
  for (const page of pages) if (isFree(page)) putPage(draft, page);
  for (const page of pages) if (!isFree(page)) await store(draft, page);
}

function putPage(draft: Draft, { id, ...record }: Page): Page {
  const { parent, order, slug } = record;
  draft.put(keys.page(id), record as Json);
  draft.put(keys.child(parent, order, id), 0);
  if (slug !== undefined) draft.put(keys.slug(parent, slug), id);
  return { ...record, id };
}

/** Whether a text is a sort key, beside which others can be made. */
export function isOrder(text: string): boolean {
  try {
    generateKeyBetween(text, null);
    return true;
  } catch {
    return false;
  }
}

/** The sort key of a place. Siblings get new ones when theirs have become too long. */
async function orderAt(draft: Draft, { parent, at }: PagePlace): Promise<string> {
  const order = await between(draft, parent, at);
  if (order.length <= longestOrder) return order;
  await shorten(draft, parent);
  return between(draft, parent, at);
}

async function between(draft: Draft, parent: string | undefined, at: number | undefined): Promise<string> {
  if (at === undefined) {
    const [last] = await siblings(draft, parent, { limit: 1, reverse: true });
    return generateKeyBetween(last?.order ?? null, null);
  }
  const first = await siblings(draft, parent, { limit: at + 1 });
  const [before, behind] = [first.length > at ? first[at - 1] : first.at(-1), first[at]];
  return generateKeyBetween(before?.order ?? null, behind?.order ?? null);
}

async function siblings(
  draft: Draft,
  parent: string | undefined,
  options: { limit?: number; reverse?: boolean } = {},
): Promise<{ id: string; order: string }[]> {
  return (await draft.range(keys.children(parent), options)).map(([key]) => {
    const [, , order = '', id = ''] = key.split('/');
    return { id, order };
  });
}

async function shorten(draft: Draft, parent: string | undefined): Promise<void> {
  const all = await siblings(draft, parent);
  const orders = generateNKeysBetween(null, null, all.length);
  for (const [index, { id, order }] of all.entries()) {
    const page = await findPage(draft, id);
    if (page === undefined) continue;
    const { id: _, ...record } = page;
    draft.remove(keys.child(parent, order, id));
    draft.put(keys.child(parent, orders[index] ?? '', id), 0);
    draft.put(keys.page(id), { ...record, order: orders[index] ?? '' } as Json);
  }
}
