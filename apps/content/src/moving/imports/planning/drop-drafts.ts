import type { ImportWarning } from '@scriptorium/contracts';
import { isIndex } from '../folder.js';
import type { PageItem } from '../item.js';
import { presentOf, type PresentPage } from './present.js';

/**
 * Leaves out drafts. One with pages in it stays as their folder, without its text; entries of the navigation that lead
 * to a draft go with it. Returns the items that are changed, and the paths of drafts that are not there at all.
 */
export function dropDrafts(
  items: readonly PageItem[],
  present: readonly PresentPage[],
): { changed: PageItem[]; gone: Set<string>; warnings: ImportWarning[] } {
  const drafts = items.filter(({ scanned }) => scanned?.draft !== undefined);
  const paths = new Set(drafts.map(({ path }) => path));
  const folders = new Map(present.map((page) => [page.importedFrom?.path, page]));
  const withPages = new Set<number>();
  const changed: PageItem[] = [];
  for (const item of [...items].reverse()) {
    const isDraft = item.scanned?.draft !== undefined;
    const leadsToDraft = item.targetPath !== undefined && paths.has(item.targetPath);
    const isKept = !leadsToDraft && (!isDraft || withPages.has(item.n));
    if (!isKept) changed.push({ ...item, isDropped: true });
    else if (isDraft) changed.push(asFolder(item, folders));
    if (isKept && item.parent !== undefined) withPages.add(item.parent);
  }
  const isGone = ({ n }: PageItem): boolean => !withPages.has(n);
  const gone = new Set(drafts.filter(isGone).flatMap(({ path }) => path ?? []));
  const warnings = drafts.map((item): ImportWarning => {
    const { path = '', scanned } = item;
    const message = isGone(item) ? {} : { message: 'It has pages in it, and stays as their folder without its text' };
    return { kind: 'draft', path, target: scanned?.draft, ...message };
  });
  return { changed, gone, warnings };
}

function asFolder(item: PageItem, folders: ReadonlyMap<string | undefined, PresentPage>): PageItem {
  const { path = '', entry: _, known: __, attributes: ___, record: ____, scanned, present: _____, ...own } = item;
  const folder = isIndex(path) ? path.slice(0, path.lastIndexOf('/') + 1) : `${path.replace(/\.[^./]*$/, '')}/`;
  const there = folders.get(folder);
  const { path: ______, ...plain } = { ...own, path };
  return {
    ...plain,
    folder,
    title: scanned?.title ?? item.title,
    ...(there === undefined ? {} : { id: there.id, present: presentOf(there) }),
  };
}
