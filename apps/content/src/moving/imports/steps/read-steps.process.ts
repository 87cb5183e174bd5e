import { importBounds } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { contentTree } from '../../../versions/index.js';
import { isCostly, longestReadMs, together, type ImportWork, type ToRead } from '../documents/read-groups.process.js';
import { passOver, readItems } from '../documents/read-items.process.js';
import { scanItems } from '../documents/scan-items.process.js';
import { itemsFrom, replaceItems } from '../import-items.operational.js';
import { addWarnings, dropUnlisted } from '../imports.operational.js';
import { dropDrafts } from '../planning/drop-drafts.js';
import { matchRenamed } from '../planning/match-renamed.js';
import { presentIn } from '../planning/present-content.process.js';
import type { PresentPage } from '../planning/present.js';
import { unfit } from '../refusal.js';
import type { ImportState } from './import.run.js';
import { on, requireBranch, tellEveryMs, workOf, type Outcome, type Step } from './step.process.js';

/** Files that are looked at, or read, before the next look at the clock. */
const atOnce = { scan: 128, read: 32 };
/** Files that take too long to be read, and are passed over. Each of them keeps a thread busy for seconds, twice. */
const mostUnread = 20;

/** What is begun last can take as long as reading may. */
function untilOf({ scope, deadline }: { scope: Pick<Scope, 'now'>; deadline: number }): number {
  return Math.min(scope.now() + tellEveryMs, deadline - longestReadMs);
}

/**
 * Looks at the files of pages; once all of them are known, pages whose files were renamed get the ids of what is there.
 */
export async function scan(step: Step, state: ImportState): Promise<Outcome> {
  const { scope, objects, about, deadline } = step;
  const { pool } = await requireBranch(scope, about);
  const until = untilOf(step);
  let { at } = state;
  do {
    const items = together(await itemsFrom(scope, about._id, 'page', { from: at, limit: atOnce.scan }));
    if (items.length === 0) {
      await settle(step);
      return on({ ...state, phase: 'pages', at: 0 });
    }
    await scanItems({ scope, objects, pool, import: about, deadline }, items);
    at += items.length;
  } while (scope.now() < until);
  return on({ ...state, at });
}

async function settle(step: Step): Promise<void> {
  const { scope, about } = step;
  const { _id: id } = about;
  const present = about.mode === 'replace' ? await presentPages(step) : [];
  await replaceItems(scope, id, matchRenamed(await itemsFrom(scope, id, 'page'), present));
  const pages = await itemsFrom(scope, id, 'page');
  const { changed, gone, warnings } = dropDrafts(pages, present);
  await dropUnlisted(scope, id, gone);
  await addWarnings(scope, id, { warnings, most: importBounds.warnings, from: { kind: 'page', n: pages.length + 1 } });
  await replaceItems(scope, id, changed);
}

async function presentPages({ scope, objects, about }: Step): Promise<readonly PresentPage[]> {
  const { pool, tree } = await requireBranch(scope, about);
  return (await presentIn(contentTree(objects, pool, tree))).pages;
}

export async function read(step: Step, state: ImportState, kind: 'page' | 'include'): Promise<Outcome> {
  const { scope, about } = step;
  const work = await workOf(step);
  const until = untilOf(step);
  let { at } = state;
  do {
    const limit = at < state.fewUntil ? 1 : atOnce.read;
    const items = together(await itemsFrom(scope, about._id, kind, { from: at, limit }));
    if (items.length === 0) return on({ ...state, phase: kind === 'page' ? 'includes' : 'files', at: 0, fewUntil: 0 });
    try {
      await readItems(work, items);
    } catch (error) {
      if (!isCostly(error)) throw error;
      return on(await goOnWithout(work, { ...state, at }, items));
    }
    at += items.length;
  } while (scope.now() < until);
  return on({ ...state, at });
}

/** When one of several files takes too long, they are read one by one; then that one is passed over. */
async function goOnWithout(work: ImportWork, state: ImportState, items: readonly ToRead[]): Promise<ImportState> {
  const [first, ...others] = items;
  if (first === undefined || others.length > 0) return { ...state, fewUntil: state.at + items.length };
  const unread = state.unread + 1;
  if (unread > mostUnread) throw unfit(first.path ?? '', 'It takes too long to be read, and others did before');
  await passOver(work, first);
  return { ...state, at: state.at + 1, unread };
}
