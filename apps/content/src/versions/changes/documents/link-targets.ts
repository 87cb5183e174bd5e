import type { ContentTree } from '../../object-store/index.js';
import { childIds, findPage, keys, pageAt, pathOf, rootPage, type Page } from '../../pages/index.js';
import type { ChangeContext } from '../context.js';
import { contentRefPrefix, filePrefix, type LinkTarget } from '../parsing/looked-up.js';

/**
 * Targets that are known without a look at the content: what the request makes, and the references that the changes
 * were given.
 */
export function knownTargets({ refs, contentRefs }: Pick<ChangeContext, 'refs' | 'contentRefs'>) {
  const made = [...refs].filter(([name]) => /^[\w-]+$/.test(name));
  const targets = [
    ...made.flatMap(([name, page]) =>
      [`./${name}.md`, `${name}.md`].map((url) => [url, { kind: 'page', page }] as const),
    ),
    ...made.map(
      ([name, reusableContent]) =>
        [`/reusable-content/${name}`, { kind: 'reusable-content', reusableContent }] as const,
    ),
    ...[...contentRefs].map(([name, target]) => [`${contentRefPrefix}${name}`, target] as const),
  ];
  return Object.fromEntries<LinkTarget>(targets);
}

type Known = Pick<ChangeContext, 'draft' | 'refs' | 'contentRefs' | 'fileNames'>;

/** A file by its id, or by the name that the request gives to it. */
async function fileTarget({ draft, refs, fileNames }: Known, named: string): Promise<LinkTarget> {
  const made = fileNames.has(named) ? refs.get(named) : undefined;
  if (made !== undefined) return { kind: 'file', file: made };
  return (await draft.get(keys.file(named))) === undefined ? null : { kind: 'file', file: named };
}

/**
 * The page that an address in the markdown of a page stands for: its id or path behind `/pages/`, a path relative to
 * the page, with or without `.md`, or the name of a page that the request makes. Behind `/content-refs/` stands the
 * name of a reference that the changes were given, behind `/files/` a file. `null` when there is none.
 */
export async function targetOf(
  known: Known,
  url: string,
  from: { record: Page | undefined; parent: string | undefined },
): Promise<LinkTarget> {
  const { draft: tree, refs, contentRefs } = known;
  if (url.startsWith(filePrefix)) return fileTarget(known, url.slice(filePrefix.length));
  if (url.startsWith(contentRefPrefix)) return contentRefs.get(url.slice(contentRefPrefix.length)) ?? null;
  const [address = '', anchor] = url.split('#', 2);
  const path = decoded(address.split('?')[0] ?? '');
  if (path === undefined) return null;
  const page = path.startsWith('/pages/') ? await absolute(tree, path.slice('/pages/'.length)) : undefined;
  const id = page ?? (path.startsWith('/') ? undefined : await relative(tree, refs, path, from));
  if (id === undefined) return null;
  return anchor === undefined || anchor === '' ? { kind: 'page', page: id } : { kind: 'anchor', page: id, anchor };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

async function absolute(tree: ContentTree, path: string): Promise<string | undefined> {
  if ((await findPage(tree, path)) !== undefined) return path;
  return byFile(tree, path.split('/'));
}

async function relative(
  tree: ContentTree,
  refs: ReadonlyMap<string, string>,
  path: string,
  from: { record: Page | undefined; parent: string | undefined },
): Promise<string | undefined> {
  const named = /^(?:\.\/)?([\w-]+)\.md$/.exec(path)?.[1];
  const made = named === undefined ? undefined : refs.get(named);
  if (made !== undefined) return made;
  for (const folder of await foldersOf(tree, from)) {
    const found = await byFile(tree, joined(folder, path));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folders in which the file of a page may stand: its own if there are pages in it, and that of its parent. */
async function foldersOf(
  tree: ContentTree,
  { record, parent }: { record: Page | undefined; parent: string | undefined },
): Promise<string[][]> {
  const above = parent === undefined ? undefined : await findPage(tree, parent);
  const outer = above === undefined ? [] : (await pathOf(tree, above)).split('/');
  if (record === undefined) return [outer];
  const hasPages = (await childIds(tree, record.id, { limit: 1 })).length > 0;
  const inner = [...outer, record.slug ?? ''];
  return hasPages ? [inner, outer] : [outer];
}

/** A path from a folder, part by part. */
function joined(folder: readonly string[], path: string): string[] {
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

/** The page of a file: `a/b.md`, `a/b/README.md` and `a/b` are the same page, `README.md` is the first one. */
async function byFile(tree: ContentTree, parts: readonly string[]): Promise<string | undefined> {
  const last = parts.at(-1) ?? '';
  const folder = parts.slice(0, -1);
  const isIndex = /^(readme|index)(\.md)?$/i.test(last);
  const path = isIndex ? folder : [...folder, last.replace(/\.md$/i, '')];
  if (path.length === 0) return (await rootPage(tree))?.id;
  return (await pageAt(tree, path.join('/')))?.id;
}
