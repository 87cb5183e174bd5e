import { deepest, findPage, type PageRecord } from '../pages/index.js';
import type { MergeContext } from './merge-text.js';
import type { Versions } from './versions.js';

/** What becomes of the pages that a side has changed. All others are as in the main content. */
export interface PagePlan {
  context: MergeContext;
  versions: ReadonlyMap<string, Versions<PageRecord>>;
  /** The pages as they will be; `undefined` for those that go. */
  pages: Map<string, PageRecord | undefined>;
}

/** A page as it will be. */
export async function plannedPage({ pages, context }: PagePlan, id: string): Promise<PageRecord | undefined> {
  if (pages.has(id)) return pages.get(id);
  return recordOf(await findPage(context.trees.theirs, id));
}

export function recordOf(page: (PageRecord & { id: string }) | undefined): PageRecord | undefined {
  if (page === undefined) return undefined;
  const { id: _, ...record } = page;
  return record;
}

function within(record: PageRecord, parent: string | undefined): PageRecord {
  const { parent: _, ...rest } = record;
  return parent === undefined ? rest : { ...rest, parent };
}

/**
 * Sees to it that the parent of every page is there. What the change request has in a page that the main content
 * deleted keeps that page; what the main content has in a page that the change request deleted moves up. Both are
 * conflicts.
 */
export async function settleParents(plan: PagePlan): Promise<void> {
  const { pages, context } = plan;
  const open = [...pages.keys()];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const page = pages.get(id);
    if (page?.parent === undefined || (await plannedPage(plan, page.parent)) !== undefined) continue;
    const kept = recordOf(await findPage(context.trees.ours, page.parent));
    const about = kept === undefined ? id : page.parent;
    if (kept === undefined) pages.set(id, within(page, await nearest(plan, page.parent)));
    else pages.set(page.parent, kept);
    context.conflicts.add({ kind: 'delete', of: { page: about } });
    open.push(about);
  }
}

/** The nearest page above one that goes which is still there; `undefined` for the top. */
async function nearest(plan: PagePlan, gone: string): Promise<string | undefined> {
  const { theirs, base } = plan.context.trees;
  let next: string | undefined = gone;
  for (let depth = 0; next !== undefined && depth <= deepest; depth += 1) {
    if ((await plannedPage(plan, next)) !== undefined) return next;
    next = ((await findPage(theirs, next)) ?? (await findPage(base, next)))?.parent;
  }
  return undefined;
}

/** Where moves of both sides put pages into each other, the pages go to where the change request has them. */
export async function breakCycles(plan: PagePlan): Promise<void> {
  const { pages, versions, context } = plan;
  for (const id of [...pages.keys()]) {
    for (let cycle = await cycleAt(plan, id); cycle !== undefined; cycle = await cycleAt(plan, id)) {
      const own = (page: string): string | undefined => versions.get(page)?.ours?.parent;
      const wrong = cycle.find((page) => pages.get(page)?.parent !== own(page) && versions.has(page)) ?? id;
      const record = pages.get(wrong) as PageRecord;
      const parent = own(wrong);
      const isThere = parent !== undefined && (await plannedPage(plan, parent)) !== undefined;
      pages.set(wrong, within(record, isThere && parent !== record.parent ? parent : undefined));
      context.conflicts.add({ kind: 'move', of: { page: wrong } });
    }
  }
}

/** The pages of a cycle above a page, if there is one. */
async function cycleAt(plan: PagePlan, id: string): Promise<string[] | undefined> {
  const above = [id];
  for (let next = plan.pages.get(id)?.parent; next !== undefined;) {
    if (above.includes(next)) return above.slice(above.indexOf(next));
    above.push(next);
    next = (await plannedPage(plan, next))?.parent;
  }
  return undefined;
}
