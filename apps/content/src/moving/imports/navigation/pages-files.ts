import type { FolderGuide, FolderHint, PlacedEntry } from './folder-entries.js';
import { isAddress, type NavigationEntry } from './navigation-entry.js';
import { mapOf, own, textIn, yamlMap } from './yaml-map.js';

/** The name of the files by which folders of MkDocs say their order. */
export const pagesName = '.pages';

export function isPagesFile(path: string): boolean {
  return path === pagesName || path.endsWith(`/${pagesName}`);
}

/** The order and titles that files `.pages` give, by the texts of these. What cannot be read says nothing. */
export function guideOfPages(texts: ReadonlyMap<string, string>): FolderGuide {
  const hints = new Map<string, FolderHint>();
  for (const [path, text] of texts) {
    const settings = yamlMap(text);
    if (settings !== undefined) hints.set(path.slice(0, -pagesName.length), hintOf(settings));
  }
  return { file: () => ({}), folder: (path) => hints.get(path) ?? {}, isFilesFirst: true };
}

function hintOf(settings: Record<string, unknown>): FolderHint {
  const title = textIn(own(settings, 'title'));
  const nav = own(settings, 'nav') ?? own(settings, 'arrange');
  const isDescending = own(settings, 'order') === 'desc';
  return {
    ...(title === undefined ? {} : { title, isNamed: true }),
    arrange: (placed) => arranged(isDescending ? [...placed].reverse() : placed, Array.isArray(nav) ? nav : ['...']),
  };
}

/** The entries that a list names, with those that it does not name where it says `...`. */
function arranged(placed: readonly PlacedEntry[], list: readonly unknown[]): NavigationEntry[] {
  const byName = new Map(placed.map((one) => [one.name, one]));
  const items = list.flatMap((item): { name: string; title?: string }[] => {
    const name = textIn(item);
    if (name !== undefined) return [{ name }];
    return Object.entries(mapOf(item) ?? {}).flatMap(([title, value]) => {
      const named = textIn(value);
      return named === undefined ? [] : [{ name: named, title }];
    });
  });
  const named = new Set(items.map(({ name }) => name.replace(/\/+$/, '')));
  const others = placed.filter(({ name }) => !named.has(name)).map(({ entry }) => entry);
  return items.flatMap(({ name, title }): NavigationEntry[] => {
    if (/^\.\.\./.test(name)) return others.splice(0);
    if (isAddress(name)) return [{ type: 'link', title: title ?? name, url: name }];
    const found = byName.get(name.replace(/\/+$/, ''))?.entry;
    if (found === undefined) return [];
    return [title === undefined ? found : withTitle(found, title)];
  });
}

function withTitle(entry: NavigationEntry, title: string): NavigationEntry {
  if (entry.type === 'file') return { ...entry, title, isNamed: true };
  return entry.type === 'section' ? { ...entry, title } : entry;
}
