import type { ContentTree } from '../object-store/index.js';
import { idIn, keys, type PageAttributes, type PageRecord } from './records.js';

/** Pages that lie within each other, at most. A chain that is longer is damaged. */
export const deepest = 32;

export interface Page extends PageRecord {
  id: string;
}

export async function findPage(tree: ContentTree, id: string): Promise<Page | undefined> {
  const record = (await tree.get(keys.page(id))) as PageRecord | undefined;
  return record === undefined ? undefined : { ...record, id };
}

/** Pages by id; those that are not there are left out. */
export async function findPages(tree: ContentTree, ids: readonly string[]): Promise<Map<string, Page>> {
  const found = await tree.getMany(ids.map(keys.page));
  return new Map([...found].map(([key, record]) => [idIn(key), { ...(record as PageRecord), id: idIn(key) }]));
}

/** The rarer fields of a page. */
export async function attributesOf(
  tree: ContentTree,
  { attributes }: Pick<PageRecord, 'attributes'>,
): Promise<PageAttributes> {
  return attributes === undefined ? {} : tree.object(attributes);
}

/** The ids of what stands directly in a page, or at the top, in order. */
export async function childIds(
  tree: ContentTree,
  parent: string | undefined,
  options: { limit?: number; reverse?: boolean } = {},
): Promise<string[]> {
  return (await tree.range(keys.children(parent), options)).map(([key]) => idIn(key));
}

/** A page, and those that contain it, from the nearest up. */
export async function chainOf(tree: ContentTree, page: Page): Promise<Page[]> {
  const chain = [page];
  for (let next = page.parent; next !== undefined && chain.length <= deepest;) {
    const above = await findPage(tree, next);
    if (above === undefined) break;
    chain.push(above);
    next = above.parent;
  }
  return chain;
}

/** The path of a page below its space. Links have none. */
export async function pathOf(tree: ContentTree, page: Page): Promise<string> {
  const chain = await chainOf(tree, page);
  return chain
    .reverse()
    .flatMap(({ slug }) => slug ?? [])
    .join('/');
}

/** The page with a path. */
export async function pageAt(tree: ContentTree, path: string): Promise<Page | undefined> {
  let parent: string | undefined;
  for (const slug of path.split('/').slice(0, deepest + 1)) {
    const id = await idBySlug(tree, parent, slug);
    if (id === undefined) return undefined;
    parent = id;
  }
  return parent === undefined ? undefined : findPage(tree, parent);
}

/**
 * Characters can be written in two forms. Slugs are stored in the composed one; those that were stored before may have
 * the other.
 */
async function idBySlug(tree: ContentTree, parent: string | undefined, slug: string): Promise<string | undefined> {
  const forms = [...new Set([slug.normalize('NFC'), slug, slug.normalize('NFD')])].map((form) =>
    keys.slug(parent, form),
  );
  const found = await tree.getMany(forms);
  return forms.flatMap((key) => (found.get(key) as string | undefined) ?? [])[0];
}

/** A page and everything in it, parents before their children. */
export async function withDescendants(tree: ContentTree, page: Page): Promise<Page[]> {
  const all = [page];
  let level = [page.id];
  while (level.length > 0) {
    const below = await Promise.all(level.map((id) => childIds(tree, id)));
    const found = await findPages(tree, below.flat());
    all.push(...found.values());
    level = [...found.keys()];
  }
  return all;
}

/** The first page with a document, which a space opens with. */
export async function rootPage(tree: ContentTree): Promise<Page | undefined> {
  const top = await childIds(tree, undefined);
  return firstDocument(tree, top);
}

async function firstDocument(tree: ContentTree, ids: readonly string[]): Promise<Page | undefined> {
  for (const id of ids) {
    const page = await findPage(tree, id);
    if (page?.type === 'document') return page;
    const below = page === undefined ? undefined : await firstDocument(tree, await childIds(tree, page.id));
    if (below !== undefined) return below;
  }
  return undefined;
}

/** The variables of a space. */
export async function variablesOf(tree: ContentTree): Promise<Record<string, string>> {
  const entries = await tree.range(keys.variables);
  return Object.fromEntries(entries.map(([key, value]) => [idIn(key), value as string]));
}
