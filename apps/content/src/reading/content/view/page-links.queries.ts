import { setImmediate } from 'node:timers/promises';
import { type ContentTree, childIds, findPages, pathOf } from '../../../versions/index.js';
import type { NamedPage, NamedPages } from './relative-url.js';

/** Pages that are looked at before other requests get their turn. */
const untilTurn = 64;

/** The pages of the same space with these ids, as links name them. `from`: the page that has the links. */
export async function pagesNamed(
  tree: ContentTree,
  linked: readonly string[],
  from: string | undefined,
): Promise<NamedPages> {
  const ids = new Set(linked);
  if (from !== undefined && ids.size > 0) ids.add(from);
  const pages = new Map<string, NamedPage>();
  for (const [id, page] of await findPages(tree, [...ids])) {
    const path = await pathOf(tree, page);
    const hasPages = (await childIds(tree, id, { limit: 1 })).length > 0;
    pages.set(id, { id, title: page.title, path, file: hasPages ? `${path}/README.md` : `${path}.md` });
    if (pages.size % untilTurn === 0) await setImmediate();
  }
  const own = from === undefined ? undefined : pages.get(from);
  return { pages, folder: own === undefined ? [] : own.file.split('/').slice(0, -1) };
}
