import { isIndex, isPageFile, type Files } from '../folder.js';
import type { NavigationEntry } from './navigation-entry.js';

type FileEntry = Extract<NavigationEntry, { type: 'file' }>;

/**
 * A section of a `nav`. The first file without a title of its own is the page of the section; within another section,
 * where there are no groups, the first file of the folder that holds most others is its page whatever it is called.
 */
export function sectionOf(title: string, entries: readonly NavigationEntry[], isNested: boolean): NavigationEntry {
  const [first] = entries;
  const isPlain = first !== undefined && isIndexEntry(first) && first.isNamed === undefined;
  const own = isPlain ? first : isNested ? indexOfMost(entries) : undefined;
  if (own === undefined) return { type: 'section', title, entries };
  return { ...own, title, isNamed: true, entries: entries.filter((one) => one !== own) };
}

function isIndexEntry(entry: NavigationEntry): entry is FileEntry {
  return entry.type === 'file' && isIndex(entry.path);
}

/** The first file of the folder in which another file, and at least half of all of a section stand. */
function indexOfMost(entries: readonly NavigationEntry[]): FileEntry | undefined {
  const lengthOf = ({ path }: FileEntry): number => folderOf(path).length;
  // No other folder holds more than the shortest, unless they stand beside each other.
  const index = entries.filter(isIndexEntry).reduce<FileEntry | undefined>((shortest, one) => {
    return shortest !== undefined && lengthOf(shortest) <= lengthOf(one) ? shortest : one;
  }, undefined);
  const folder = index === undefined ? '' : folderOf(index.path);
  const paths = pathsIn(entries);
  const inside = paths.filter((path) => path.startsWith(folder)).length;
  return folder !== '' && inside > 1 && 2 * inside >= paths.length ? index : undefined;
}

/**
 * Gives sections within sections, which would be pages without text, that of the first file of their folder where it is
 * listed nowhere and the section has all that is listed of the folder. It may have pages of other folders, too.
 */
export function withIndexPages(files: Files, entries: readonly NavigationEntry[]): NavigationEntry[] {
  const paths = pathsIn(entries);
  const listed = new Set(paths);
  const indexes = new Map<string, string>();
  for (const path of [...files.keys()].sort().reverse())
    if (isPageFile(path) && isIndex(path) && !listed.has(path)) indexes.set(folderOf(path), path);
  const counts = new Map<string, number>();
  for (const path of listed) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  const given = (all: readonly NavigationEntry[], depth: number): NavigationEntry[] =>
    all.map((entry) => {
      if (!('entries' in entry)) return entry;
      const inside = given(entry.entries, depth + 1);
      const folder = entry.type === 'section' && depth > 1 ? folderOfSection(entry.entries, counts) : undefined;
      const path = folder === undefined ? undefined : indexes.get(folder);
      if (entry.type !== 'section' || path === undefined) return { ...entry, entries: inside };
      indexes.delete(folderOf(path));
      return { type: 'file', title: entry.title, isNamed: true, path, entries: inside };
    });
  return given(entries, 1);
}

/** The folder of most files of a section, if no others of it are listed; undefined for the top. */
function folderOfSection(entries: readonly NavigationEntry[], counts: ReadonlyMap<string, number>): string | undefined {
  const own = new Map<string, number>();
  for (const path of new Set(entries.flatMap((entry) => (entry.type === 'file' ? [entry.path] : []))))
    own.set(folderOf(path), (own.get(folderOf(path)) ?? 0) + 1);
  const [[folder, count] = ['', 0]] = [...own].sort(([, one], [, two]) => two - one);
  return folder !== '' && counts.get(folder) === count ? folder : undefined;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function pathsIn(entries: readonly NavigationEntry[]): string[] {
  return entries.flatMap((entry) => [
    ...(entry.type === 'file' ? [entry.path] : []),
    ...('entries' in entry ? pathsIn(entry.entries) : []),
  ]);
}
