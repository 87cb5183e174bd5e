import type { Page } from '@scriptorium/contracts';

/** The pages of a space, for finding them by id and by path. */
export interface PageIndex {
  pages: readonly Page[];
  byId: ReadonlyMap<string, Page>;
  byPath: ReadonlyMap<string, Page>;
  /** The pages and groups that contain a page, from the top down. */
  parents: ReadonlyMap<string, readonly Page[]>;
  /** The documents of the navigation in its order. */
  order: readonly DocumentPage[];
}
export type DocumentPage = Extract<Page, { type: 'document' }>;

const known = new WeakMap<readonly Page[], PageIndex>();

/** The index of a tree of pages. Made once for each tree. */
export function pageIndex(pages: readonly Page[]): PageIndex {
  const kept = known.get(pages) ?? build(pages);
  known.set(pages, kept);
  return kept;
}

function build(pages: readonly Page[]): PageIndex {
  const byId = new Map<string, Page>();
  const byPath = new Map<string, Page>();
  const parents = new Map<string, readonly Page[]>();
  const order: DocumentPage[] = [];
  const walk = (list: readonly Page[], above: readonly Page[], isHidden: boolean): void => {
    for (const page of list) {
      byId.set(page.id, page);
      parents.set(page.id, above);
      if (page.type === 'link') continue;
      byPath.set(page.path, page);
      const hides = isHidden || page.hidden;
      if (page.type === 'document' && !hides) order.push(page);
      walk(page.pages, [...above, page], hides);
    }
  };
  walk(pages, [], false);
  return { pages, byId, byPath, parents, order };
}

/** The page at a path: for the beginning of a space its first one, for a group the first one in it. */
export function pageAt(index: PageIndex, path: string): DocumentPage | { within: Page } | undefined {
  if (path === '') return index.order[0];
  const found = index.byPath.get(path);
  if (found === undefined) return undefined;
  return found.type === 'document' ? found : { within: found };
}

/** The first document in a page or group. */
export function firstIn(page: Page): DocumentPage | undefined {
  if (page.type === 'link') return undefined;
  for (const child of page.pages) {
    if (child.hidden) continue;
    const found = child.type === 'document' ? child : firstIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The pages before and behind one in the navigation. */
export function neighbours(
  { order }: PageIndex,
  page: DocumentPage,
): { before?: DocumentPage | undefined; behind?: DocumentPage | undefined } {
  const place = order.findIndex(({ id }) => id === page.id);
  return place < 0 ? {} : { before: order[place - 1], behind: order[place + 1] };
}

/** A path of an address, with its parts encoded. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
