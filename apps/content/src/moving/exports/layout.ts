import {
  type FileRecord,
  type ContentTree,
  idIn,
  keys,
  slugOf,
  type Page,
  type PageRecord,
  type ReusableContentRecord,
} from '../../versions/index.js';
import { assetsFolder, createNames, includesFolder, pathPart } from '../archive-format/index.js';

export type NamedFile = FileRecord & { id: string };
export type NamedReusableContent = ReusableContentRecord & { id: string };

/** A content, and the files of an export that it becomes. */
export interface Layout {
  /** Parents before their children, siblings in their order. */
  pages: readonly Page[];
  children: ReadonlyMap<string | undefined, readonly Page[]>;
  files: readonly NamedFile[];
  reusableContents: readonly NamedReusableContent[];
  /** Paths by id: of pages with a document, of files, and of reusable contents. */
  paths: ReadonlyMap<string, string>;
}

/** Lays out a content as files. The same content gives the same paths. */
export async function layOut(tree: ContentTree): Promise<Layout> {
  const all = (await tree.range(keys.pages)).map(([key, record]) => named<PageRecord>(key, record));
  const files = (await tree.range(keys.files)).map(([key, record]) => named<FileRecord>(key, record));
  const reusableContents = (await tree.range(keys.reusableContents)).map(([key, record]) =>
    named<ReusableContentRecord>(key, record),
  );
  const children = byParent(all);
  const paths = new Map<string, string>();
  const pages: Page[] = [];
  place(children, { pages, paths }, undefined, '');
  const assets = createNames();
  for (const { id, name } of files) paths.set(id, assets(`${assetsFolder}/${pathPart(name)}`));
  const includes = createNames();
  for (const { id, title } of reusableContents)
    paths.set(id, includes(`${includesFolder}/${pathPart(slugOf(title))}.md`));
  return { pages, children, files, reusableContents, paths };
}

function named<R extends object>(key: string, record: unknown): R & { id: string } {
  return { ...(record as R), id: idIn(key) };
}

function byParent(pages: readonly Page[]): Map<string | undefined, Page[]> {
  const children = new Map<string | undefined, Page[]>();
  for (const page of pages) {
    const siblings = children.get(page.parent);
    if (siblings === undefined) children.set(page.parent, [page]);
    else siblings.push(page);
  }
  for (const siblings of children.values()) siblings.sort(byOrder);
  return children;
}

function byOrder(a: Page, b: Page): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Names that mean something else where they stand. */
const special = /^(readme|index|summary)$/i;

/**
 * Gives a path to everything in a page, or at the top. The file of a page with pages in it is the first one of their
 * folder.
 */
function place(
  children: ReadonlyMap<string | undefined, readonly Page[]>,
  out: { pages: Page[]; paths: Map<string, string> },
  parent: string | undefined,
  folder: string,
): void {
  const take = createNames();
  for (const page of children.get(parent) ?? []) {
    out.pages.push(page);
    const { id, type, slug } = page;
    if (slug === undefined) continue;
    const part = pathPart(slug);
    const path = `${folder}${take(special.test(part) ? `page-${part}` : part)}`;
    const hasPages = children.has(id);
    if (type === 'document') out.paths.set(id, hasPages ? `${path}/README.md` : `${path}.md`);
    place(children, out, id, `${path}/`);
  }
}
