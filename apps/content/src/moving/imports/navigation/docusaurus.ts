import { isIndex, stemOf, titleOfName } from '../folder.js';
import type { FolderGuide, FolderHint, Hint } from './folder-entries.js';
import type { Front } from './front.js';
import { mapOf, own, textIn, yamlMap } from './yaml-map.js';

/** The file by which a folder of Docusaurus says what it is. */
export function isCategoryFile(path: string): boolean {
  return /(^|\/)_category_\.(json|ya?ml)$/.test(path);
}

/** Names with a number in front that is a version or a date. */
const noNumber = /^(\d+[-_.]\d+|\d{2}(\d{2})?[-_.]\d{2}([-_.]|$))/;

/** The number in front of a name, and the name without it. */
export function withoutNumber(name: string): { name: string; number?: number } {
  const [, number, rest] = noNumber.test(name) ? [] : (/^(\d{1,9})\s*[-_.]+\s*([^-_.\s].*)$/.exec(name) ?? []);
  return number === undefined || rest === undefined ? { name } : { name: rest, number: Number(number) };
}

/** A path whose parts have no numbers in front. */
function plainPath(path: string): string {
  return path
    .split('/')
    .map((part) => withoutNumber(part).name)
    .join('/');
}

/** The ids by which sidebars name pages, with the paths of these. */
export function idsOfPages(paths: Iterable<string>, fronts: ReadonlyMap<string, Front>): Map<string, string> {
  const ids = new Map<string, string>();
  const add = (id: string, path: string): void => void (ids.has(id) || ids.set(id, path));
  const all = [...paths].map((path) => [path, withoutEnding(path)] as const);
  for (const [path, plain] of all) {
    const folder = plain.slice(0, plain.lastIndexOf('/') + 1);
    add(plainPath(folder) + (fronts.get(path)?.id ?? withoutNumber(stemOf(path)).name), path);
  }
  for (const [path, plain] of all) for (const id of [plainPath(plain), plain]) add(id, path);
  return ids;
}

function withoutEnding(path: string): string {
  return path.replace(/\.(mdx?|markdown)$/i, '');
}

interface Found {
  /** The texts of the files `_category_`. */
  categories: ReadonlyMap<string, string>;
  fronts: ReadonlyMap<string, Front>;
  ids: ReadonlyMap<string, string>;
}

/** The order, titles and last parts of paths of what Docusaurus lists by itself. */
export function guideOfDocusaurus({ categories, fronts, ids }: Found): FolderGuide {
  const folders = new Map<string, FolderHint>();
  for (const [path, text] of categories) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    if (folder !== '' && !folders.has(folder)) folders.set(folder, categoryOf(text, folder, ids));
  }
  return {
    file: (path) => hintOfFile(path, fronts.get(path)),
    folder: (path) => (path === '' ? {} : (folders.get(path) ?? plainFolder(path))),
  };
}

export function hintOfFile(path: string, front: Front | undefined): Hint {
  const { label, position, slug } = front ?? {};
  const parts = path.split('/');
  const named = withoutNumber(stemOf(isIndex(path) ? parts.slice(0, -1).join('/') : path));
  const lastOfSlug = slug?.split('/').filter(Boolean).at(-1);
  const ownSlug = lastOfSlug ?? (named.number === undefined ? undefined : named.name);
  return {
    position: position ?? (isIndex(path) ? undefined : named.number),
    title: label ?? titleOfName(isIndex(path) ? path : named.name),
    ...(label === undefined ? {} : { isNamed: true }),
    ...(ownSlug === undefined ? {} : { slug: ownSlug }),
  };
}

function plainFolder(folder: string): FolderHint {
  const path = folder.replace(/\/$/, '');
  const { name, number } = withoutNumber(path.slice(path.lastIndexOf('/') + 1));
  return { title: titleOfName(name), slug: name, ...(number === undefined ? {} : { number }) };
}

function categoryOf(text: string, folder: string, ids: ReadonlyMap<string, string>): FolderHint {
  // JSON is YAML, too.
  const settings = yamlMap(text);
  const [label, position] = [textIn(own(settings, 'label')), own(settings, 'position')];
  return {
    ...plainFolder(folder),
    ...(typeof position === 'number' ? { position } : {}),
    ...(label === undefined ? {} : { title: label, isNamed: true }),
    ...linkOf(own(settings, 'link'), folder, ids),
  };
}

/** What stands behind the title of a category: a page of its own, another page, or nothing. */
export function linkOf(
  link: unknown,
  folder: string,
  ids: ReadonlyMap<string, string>,
): Pick<FolderHint, 'page' | 'description' | 'isPage'> {
  if (link === null) return { page: null };
  const given = mapOf(link);
  const [type, id] = [own(given, 'type'), textIn(own(given, 'id'))];
  if (type === 'doc' && id !== undefined) return { page: ids.get(id) ?? ids.get(`${plainPath(folder)}${id}`) };
  if (type !== 'generated-index') return {};
  const description = textIn(own(given, 'description'));
  return { page: null, isPage: true, ...(description === undefined ? {} : { description }) };
}
