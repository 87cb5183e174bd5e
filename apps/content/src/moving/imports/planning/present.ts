import type { ContentReference } from '@scriptorium/contracts';
import type { ImportedFrom } from '../../../versions/index.js';
import type { PlannedPage, Present } from '../item.js';

/** A page of the content that is replaced. */
export interface PresentPage extends Present {
  id: string;
  type: PlannedPage['type'];
  title: string;
  parent?: string;
  /** The path that it would have in an export. */
  path?: string;
  importedFrom?: ImportedFrom;
  target?: ContentReference;
}

/** A file or reusable content of the content that is replaced. */
export interface PresentOther {
  id: string;
  path: string;
  importedFrom?: Pick<ImportedFrom, 'path'>;
  document?: string;
}

/** What is replaced. Pages stand in the order of the navigation. */
export interface PresentContent {
  pages: readonly PresentPage[];
  others: readonly PresentOther[];
}

export const nothingPresent: PresentContent = { pages: [], others: [] };

/** What is there by the paths of files that it has come from, then by those that it would have in an export. */
export function byPaths<T extends { path?: string; importedFrom?: Pick<ImportedFrom, 'path'> }>(
  present: readonly T[],
  wanted: ReadonlySet<string>,
): Map<string, T> {
  const found = new Map<string, T>();
  const used = new Set<T>();
  const take = (path: string | undefined, one: T): void => {
    if (path === undefined || !wanted.has(path) || found.has(path) || used.has(one)) return;
    found.set(path, one);
    used.add(one);
  };
  for (const one of present) take(one.importedFrom?.path, one);
  for (const one of present) take(one.path, one);
  return found;
}

/** What a page of an import is known by, besides its file. */
export type Entry = Pick<PlannedPage, 'type' | 'title' | 'target'>;

/** Finds what is there by its parent, and by what it is among those in that. */
export function createFinder(present: readonly PresentPage[]) {
  const inParents = new Map<string, PresentPage[]>();
  for (const page of present) {
    const known = inParents.get(page.parent ?? '');
    if (known === undefined) inParents.set(page.parent ?? '', [page]);
    else known.push(page);
  }
  const find = (parent: string | undefined, used: ReadonlySet<string>, isIt: (page: PresentPage) => boolean) =>
    inParents.get(parent ?? '')?.find((page) => !used.has(page.id) && isIt(page));
  return {
    /** A group, link or the like, which no file stands for. */
    entry: (parent: string | undefined, entry: Entry, used: ReadonlySet<string>) =>
      find(parent, used, (page) => isSameEntry(page, entry)),
    /** A page that was made before it was noted which file it came from. */
    slug: (parent: string | undefined, slug: string | undefined, used: ReadonlySet<string>) =>
      slug === undefined
        ? undefined
        : find(
            parent,
            used,
            (page) => page.type === 'document' && page.slug === slug && page.importedFrom === undefined,
          ),
  };
}

function isSameEntry(page: PresentPage, { type, title, target }: Entry): boolean {
  if (page.type !== type || page.importedFrom?.path.endsWith('/') === false) return false;
  // A computed page gets its title from what it is computed from.
  if (type === 'computed') return true;
  const url = target?.kind === 'url' ? target.url : undefined;
  const otherUrl = page.target?.kind === 'url' ? page.target.url : undefined;
  return page.title === title && url === otherUrl;
}

/** What the item of an import takes over from what is there. */
export function presentOf({ createdAt, order, slug, document }: Present): Present {
  return {
    createdAt,
    order,
    ...(slug === undefined ? {} : { slug }),
    ...(document === undefined ? {} : { document }),
  };
}
