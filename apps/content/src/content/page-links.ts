import { formatLinkByDefault, type FormattedLink, type links } from '@scriptorium/rich-text';
import type { ContentTree } from '../objects/index.js';
import { childIds, findPages, pathOf } from '../pages/index.js';

type FoundLink = ReturnType<typeof links>[number];

/** A page that something links to. */
export interface NamedPage {
  id: string;
  title: string;
  path: string;
  /** The file that it is in an export. */
  file: string;
}

/** The pages that links lead to, and the folder of the page that has the links. */
export interface NamedPages {
  pages: ReadonlyMap<string, NamedPage>;
  folder: readonly string[];
}

/** The pages of the same space that these links lead to. `from`: the page that has them. */
export async function pagesNamed(
  tree: ContentTree,
  found: readonly FoundLink[],
  from: string | undefined,
): Promise<NamedPages> {
  const ids = new Set(
    found.flatMap(({ ref }) => (typeof ref['page'] === 'string' && ref['space'] === undefined ? [ref['page']] : [])),
  );
  if (from !== undefined && ids.size > 0) ids.add(from);
  const pages = new Map<string, NamedPage>();
  for (const [id, page] of await findPages(tree, [...ids])) {
    const path = await pathOf(tree, page);
    const hasPages = (await childIds(tree, id, { limit: 1 })).length > 0;
    pages.set(id, { id, title: page.title, path, file: hasPages ? `${path}/README.md` : `${path}.md` });
  }
  const own = from === undefined ? undefined : pages.get(from);
  return { pages, folder: own === undefined ? [] : own.file.split('/').slice(0, -1) };
}

/** The address of a reference in markdown: relative to the page, or one that survives moves; `null` for a page that is not there. */
export function relativeUrl(
  { pages, folder }: NamedPages,
  ref: Parameters<typeof formatLinkByDefault>[0],
  style: 'relative' | 'stable',
): FormattedLink | null {
  if (typeof ref['page'] !== 'string' || ref['space'] !== undefined) return formatLinkByDefault(ref, style);
  const page = pages.get(ref['page']);
  if (page === undefined) return null;
  // The file of a folder would have the same name.
  if (style === 'stable' || /(^|\/)(readme|index)$/i.test(page.path)) return formatLinkByDefault(ref, 'stable');
  const anchor = typeof ref['anchor'] === 'string' ? `#${ref['anchor']}` : '';
  return `${between(folder, page.file.split('/'))}${anchor}`;
}

function between(folder: readonly string[], file: readonly string[]): string {
  let shared = 0;
  while (shared < folder.length && shared < file.length - 1 && folder[shared] === file[shared]) shared += 1;
  return [...folder.slice(shared).map(() => '..'), ...file.slice(shared)].map(encodePart).join('/');
}

/** Blanks, `#`, `?` and brackets would end the address or change its meaning. */
function encodePart(part: string): string {
  return part.replace(/[\s#?()<>%]/g, encodeURIComponent);
}
