import type { PageItem } from '../item.js';
import { presentOf, type PresentPage } from './present.js';

/**
 * Gives pages whose files have another path than before the ids of what is there: by the `id` of the front matter, then
 * by the same bytes; then to their folders those of the folders that they were in. Returns the items that are changed.
 */
export function matchRenamed(items: readonly PageItem[], present: readonly PresentPage[]): PageItem[] {
  const matching = createMatching(items, present);
  const { isOpen, isFree, take } = matching;
  const named = indexed(present, ({ id, importedFrom }) => [importedFrom?.id, id]);
  const equal = indexed(present, ({ importedFrom }) => [importedFrom?.sha256]);
  for (const item of items.filter(isOpen)) take(item, firstOf(named, item.scanned?.id, isFree));
  for (const item of items.filter(isOpen)) {
    const key = item.scanned?.sha256;
    const isNamesake = (page: PresentPage): boolean => nameOf(page.importedFrom?.path) === nameOf(item.path);
    take(item, firstOf(equal, key, (page) => isNamesake(page) && isFree(page)) ?? firstOf(equal, key, isFree));
  }
  matchFolders(items, present, matching);
  return [...matching.matched.values()];
}

interface Matching {
  matched: Map<number, PageItem>;
  /** Whether a file has found nothing yet. */
  isOpen: (item: PageItem) => boolean;
  isFree: (page: PresentPage) => boolean;
  take: (item: PageItem, page: PresentPage | undefined) => void;
}

function createMatching(items: readonly PageItem[], present: readonly PresentPage[]): Matching {
  const there = new Set(present.map(({ id }) => id));
  const used = new Set(items.flatMap(({ id }) => (there.has(id) ? [id] : [])));
  const matched = new Map<number, PageItem>();
  return {
    matched,
    isOpen: (item) => item.scanned !== undefined && !there.has(item.id) && !matched.has(item.n) && isUnknown(item),
    isFree: ({ id, type }) => type === 'document' && !used.has(id),
    take(item, page) {
      if (page === undefined) return;
      used.add(page.id);
      const { slug: _, ...kept } = presentOf(page);
      matched.set(item.n, { ...item, id: page.id, present: kept });
    },
  };
}

/** A page that a manifest names has its id from that. */
function isUnknown({ record }: PageItem): boolean {
  return record === undefined;
}

function indexed(
  present: readonly PresentPage[],
  keysOf: (page: PresentPage) => readonly (string | undefined)[],
): Map<string, PresentPage[]> {
  const found = new Map<string, PresentPage[]>();
  for (const page of present)
    for (const key of keysOf(page)) {
      if (key === undefined) continue;
      const pages = found.get(key);
      if (pages === undefined) found.set(key, [page]);
      else pages.push(page);
    }
  return found;
}

function firstOf(
  pages: ReadonlyMap<string, readonly PresentPage[]>,
  key: string | undefined,
  isFree: (page: PresentPage) => boolean,
): PresentPage | undefined {
  return key === undefined ? undefined : pages.get(key)?.find(isFree);
}

function nameOf(path: string | undefined): string | undefined {
  return path?.split('/').at(-1);
}

/**
 * A folder without a file is the one that the first page in it was in, if nothing else is that. The innermost come
 * first.
 */
function matchFolders(items: readonly PageItem[], present: readonly PresentPage[], { matched }: Matching): void {
  const pages = new Map(present.map((page) => [page.id, page]));
  const used = new Set(items.map(({ n, id }) => matched.get(n)?.id ?? id));
  const first = new Map<number, string>();
  for (const item of [...items].reverse()) {
    const id = matched.get(item.n)?.id ?? item.id;
    const own = pages.has(id) ? id : folderOf(item, pages.get(first.get(item.n) ?? ''), { pages, used, matched });
    if (item.parent !== undefined && own !== undefined) first.set(item.parent, own);
  }
}

interface Folders {
  pages: ReadonlyMap<string, PresentPage>;
  used: Set<string>;
  matched: Map<number, PageItem>;
}

function folderOf(item: PageItem, inside: PresentPage | undefined, { pages, used, matched }: Folders) {
  const folder = pages.get(inside?.parent ?? '');
  const fits = folder !== undefined && folder.type === item.type && !used.has(folder.id);
  const isFolder = item.folder !== undefined && folder?.importedFrom?.path.endsWith('/') === true;
  if (!fits || !isFolder) return undefined;
  used.add(folder.id);
  const { slug: _, ...kept } = presentOf(folder);
  matched.set(item.n, { ...item, id: folder.id, present: kept });
  return folder.id;
}
