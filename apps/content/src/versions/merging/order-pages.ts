import { longestIncreasing, mergeOrder } from '@scriptorium/rich-text';
import { generateNKeysBetween } from 'fractional-indexing';
import type { ContentTree } from '../object-store/index.js';
import { keys, longestOrder, type PageRecord } from '../pages/index.js';
import { plannedPage, type PagePlan } from './page-plan.js';

/** Orders by id. */
type Orders = ReadonlyMap<string, string>;

/** Gives pages their order wherever the change request has added, moved or put back some. */
export async function orderPages(plan: PagePlan): Promise<void> {
  const members = new Map<string, string[]>();
  for (const [id, page] of plan.pages) {
    if (page === undefined) continue;
    const parent = page.parent ?? '';
    members.set(parent, [...(members.get(parent) ?? []), id]);
  }
  for (const [parent, placed] of members)
    if (placed.some((id) => isPlacedAnew(plan, id)))
      await orderSiblings(plan, parent === '' ? undefined : parent, placed);
}

function isPlacedAnew({ pages, versions }: PagePlan, id: string): boolean {
  const { base, ours, theirs } = versions.get(id) ?? {};
  const page = pages.get(id);
  if (theirs === undefined || theirs.parent !== page?.parent) return true;
  return ours !== undefined && ours.parent === page?.parent && ours.order !== base?.order;
}

async function orderSiblings(plan: PagePlan, parent: string | undefined, placed: readonly string[]): Promise<void> {
  const { trees, conflicts } = plan.context;
  const [base, ours, theirs] = await Promise.all([
    ordersIn(trees.base, parent),
    ordersIn(trees.ours, parent),
    ordersIn(trees.theirs, parent),
  ]);
  const stays = (id: string): boolean => !plan.pages.has(id) || isIn(plan.pages.get(id), parent);
  const members = new Set([...[...theirs.keys()].filter(stays), ...placed]);
  const { order, conflict } = mergeOrder([...base.keys()], [...ours.keys()], [...theirs.keys()], members);
  if (conflict) conflicts.add({ kind: 'order', of: { page: reordered(order, base, ours, theirs) } });
  const wished = order.map((id) => wish(base.get(id), ours.get(id), theirs.get(id)));
  for (const [at, key] of ordersLike(wished).entries()) {
    const id = order[at] ?? '';
    const page = (await plannedPage(plan, id)) as PageRecord;
    if (page.order !== key) plan.pages.set(id, { ...page, order: key });
  }
}

function isIn(page: PageRecord | undefined, parent: string | undefined): boolean {
  return page !== undefined && page.parent === parent;
}

/** The order that a page would like to keep. */
interface Wish {
  /** `undefined` for a page that had none here. */
  order: string | undefined;
  /** It is that of the main content, which goes before others. */
  isFirst: boolean;
}

/** The order on the side that has changed it. */
function wish(base: string | undefined, ours: string | undefined, theirs: string | undefined): Wish {
  const isOurs = theirs === undefined || (ours !== undefined && theirs === base && ours !== base);
  return { order: isOurs ? ours : theirs, isFirst: !isOurs };
}

/** A page that both sides have put elsewhere, to name the conflict by. */
function reordered(order: readonly string[], base: Orders, ours: Orders, theirs: Orders): string {
  const isMoved = (side: Orders, id: string): boolean => side.has(id) && side.get(id) !== base.get(id);
  const byOurs = order.filter((id) => isMoved(ours, id));
  return byOurs.find((id) => isMoved(theirs, id)) ?? byOurs[0] ?? order[0] ?? '';
}

/** Rising orders for a list: as many as possible of those that it wishes, new ones between them. */
export function ordersLike(wished: readonly Wish[]): string[] {
  const fixed = rising(wished, 0, wished.length, ({ isFirst }) => isFirst);
  const kept = new Map(fixed);
  for (const [start, end] of gapsOf(fixed, wished.length)) {
    const [low, high] = [wished[start - 1]?.order, wished[end]?.order];
    const fits = (order: string): boolean => (low === undefined || order > low) && (high === undefined || order < high);
    for (const [at, order] of rising(wished, start, end, (one) => fits(one.order ?? ''))) kept.set(at, order);
  }
  const orders: string[] = [];
  for (const [start, end] of gapsOf([...kept].sort(byPlace), wished.length)) {
    orders.push(...generateNKeysBetween(orders.at(-1) ?? null, kept.get(end) ?? null, end - start));
    const next = kept.get(end);
    if (next !== undefined) orders.push(next);
  }
  return orders.some((order) => order.length > longestOrder) ? generateNKeysBetween(null, null, wished.length) : orders;
}

type Kept = [at: number, order: string];

/** The most wishes from `start` up to `end` whose orders rise. */
function rising(wished: readonly Wish[], start: number, end: number, isTaken: (one: Wish) => boolean): Kept[] {
  const known = wished
    .slice(start, end)
    .flatMap((one, at): Kept[] => (one.order !== undefined && isTaken(one) ? [[start + at, one.order]] : []));
  const ranks = new Map([...new Set(known.map(([, order]) => order))].sort(byText).map((order, rank) => [order, rank]));
  const longest = longestIncreasing(known.map(([, order]) => ranks.get(order) ?? 0));
  return known.filter((_, at) => longest.has(at));
}

/** The places before, between and behind those that are kept. */
function gapsOf(kept: readonly Kept[], length: number): [start: number, end: number][] {
  const ends = [...kept.map(([at]) => at), length];
  return ends.map((end, index) => [(ends[index - 1] ?? -1) + 1, end]);
}

function byPlace([a]: Kept, [b]: Kept): number {
  return a - b;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

async function ordersIn(tree: ContentTree, parent: string | undefined): Promise<Map<string, string>> {
  const entries = await tree.range(keys.children(parent));
  return new Map(
    entries.map(([key]) => {
      const [, , order = '', id = ''] = key.split('/');
      return [id, order];
    }),
  );
}
