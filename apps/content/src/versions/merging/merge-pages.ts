import { isSame } from '@scriptorium/tree';
import {
  chainOf,
  deepest,
  dropPage,
  findPage,
  idIn,
  movePage,
  putPages,
  withDescendants,
  type Page,
  type PageRecord,
} from '../pages/index.js';
import { mergePage } from './merge-page.js';
import type { MergeContext } from './merge-text.js';
import { orderPages } from './order-pages.js';
import { breakCycles, settleParents, type PagePlan } from './page-plan.js';
import type { Versions } from './versions.js';

/**
 * Merges the pages that a side has changed, by key, into the draft. The ids of those that are not as in the main
 * content.
 */
export async function mergePages(
  context: MergeContext,
  changed: ReadonlyMap<string, Versions<PageRecord>>,
): Promise<string[]> {
  const versions = new Map([...changed].map(([key, one]) => [idIn(key), one]));
  const plan: PagePlan = { context, versions, pages: new Map() };
  for (const [id, one] of versions) plan.pages.set(id, await mergePage(context, id, one));
  // What is kept can lie in a cycle again.
  for (let round = 0; round < 2; round += 1) {
    await settleParents(plan);
    await breakCycles(plan);
  }
  await orderPages(plan);
  const differing = await writePlan(plan);
  await liftTooDeep(plan, differing);
  return differing;
}

/** Puts what the plan has into the draft, which is as the main content. */
async function writePlan({ context, pages }: PagePlan): Promise<string[]> {
  const { draft, trees } = context;
  const differing: string[] = [];
  const next: { page: Page; isSlugKept: boolean }[] = [];
  for (const [id, page] of pages) {
    const before = await findPage(trees.theirs, id);
    const after = page === undefined ? undefined : { ...page, id };
    if (isSame(before, after)) continue;
    differing.push(id);
    if (before !== undefined) dropPage(draft, before);
    if (after === undefined) continue;
    next.push({ page: after, isSlugKept: before?.slug === after.slug && before?.parent === after.parent });
  }
  // The main content keeps its addresses.
  const first = next.filter(({ isSlugKept }) => isSlugKept);
  const others = next.filter(({ isSlugKept }) => !isSlugKept);
  await putPages(
    draft,
    [...first, ...others].map(({ page }) => page),
  );
  return differing;
}

/** Pages that both sides together have put too deep go up as far as they have to. */
async function liftTooDeep({ context, pages }: PagePlan, differing: readonly string[]): Promise<void> {
  const { draft, conflicts } = context;
  const placed = new Set(differing);
  for (const id of differing) {
    const parent = pages.get(id)?.parent;
    const page = parent === undefined || placed.has(parent) ? undefined : await findPage(draft, id);
    if (page === undefined) continue;
    const chain = await chainOf(draft, page);
    const levels = new Map([[page.id, chain.length]]);
    for (const one of await withDescendants(draft, page)) {
      const level = levels.get(one.id) ?? (levels.get(one.parent ?? '') ?? 0) + 1;
      levels.set(one.id, Math.min(level, deepest));
      if (level <= deepest) continue;
      const above = await findPage(draft, one.parent ?? '');
      await movePage(draft, (await findPage(draft, one.id)) as Page, { parent: above?.parent });
      conflicts.add({ kind: 'move', of: { page: one.id } });
    }
  }
}
