import { isIndex, isPageFile, stemOf, titleOfName, type Files } from '../folder.js';
import type { NavigationEntry } from './navigation-entry.js';

interface Folder {
  files: string[];
  folders: Map<string, Folder>;
}

/** What a product says of a file or folder besides its name. */
export interface Hint {
  /** Smaller ones stand first, and those without one last. */
  position?: number | undefined;
  title?: string | undefined;
  /** The title is that of the navigation, whatever the file says. */
  isNamed?: true;
  slug?: string | undefined;
}

/** What it says of a folder. */
export interface FolderHint extends Hint {
  /** Its position unless it, or the file that is its page, has one. */
  number?: number | undefined;
  description?: string | undefined;
  isPage?: true;
  /** The file that is its page instead of its first one; `null` for none. */
  page?: string | null | undefined;
  /** Puts what stands in the folder in another order. */
  arrange?: ((placed: readonly PlacedEntry[]) => NavigationEntry[]) | undefined;
}

/** How the pages of folders are put in order. Paths of folders end with a slash. */
export interface FolderGuide {
  file: (path: string) => Hint;
  folder: (path: string) => FolderHint;
  /** As MkDocs has it: files before folders, both by the characters of their names. */
  isFilesFirst?: true;
}

/** An entry with the name that it has in its folder. */
export interface PlacedEntry {
  name: string;
  entry: NavigationEntry;
}

const noGuide: FolderGuide = { file: () => ({}), folder: () => ({}) };

/**
 * The pages of folders: by their names, unless the guide says another order, the first file of each folder in the place
 * of the folder. `below`: the folder whose pages they are, with a slash at its end; all unless given.
 */
export function entriesOfFolders(files: Files, guide = noGuide, below = ''): NavigationEntry[] {
  const paths = [...files.keys()].filter((path) => isPageFile(path) && path.startsWith(below));
  return entriesIn(treeOf(paths.map((path) => path.slice(below.length))), below, guide);
}

function treeOf(paths: readonly string[]): Folder {
  const top: Folder = { files: [], folders: new Map() };
  for (const path of paths) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let folder = top;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? { files: [], folders: new Map<string, Folder>() };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push(name);
  }
  return top;
}

/** An entry of a folder: a file, a folder, or both. */
interface FolderEntry {
  name: string;
  /** The file that is its page, from the folder around it. */
  file?: string;
  folder?: Folder;
}

function entriesIn(folder: Folder, prefix: string, guide: FolderGuide): NavigationEntry[] {
  const shown = shownIn(folder, guide).map((one) => ({ ...entryOf(one, prefix, guide), name: one.name }));
  const place = ({ position }: { position: number | undefined }): number => position ?? Infinity;
  const placed = shown.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  return guide.folder(prefix).arrange?.(placed) ?? placed.map(({ entry }) => entry);
}

interface Positioned {
  entry: NavigationEntry;
  position: number | undefined;
}

function entryOf({ name, file, folder }: FolderEntry, prefix: string, guide: FolderGuide): Positioned {
  const path = `${prefix}${name}`;
  if (folder !== undefined) return folderEntry(folder, path, { file: file && `${prefix}${file}`, guide });
  const { title = titleOfName(path), position, ...more } = guide.file(path);
  return { entry: { type: 'file', title, path, ...more, entries: [] }, position };
}

/** `file`: that which is the page of the folder unless something else is said of it. */
function folderEntry(
  folder: Folder,
  path: string,
  { file, guide }: { file: string | undefined; guide: FolderGuide },
): Positioned {
  const own = guide.folder(`${path}/`);
  const { page = file } = own;
  if (page === null || page === undefined) {
    const { title = titleOfName(path), slug, description, isPage, position = own.number } = own;
    const more = { ...(description === undefined ? {} : { description }), ...(isPage === undefined ? {} : { isPage }) };
    const entries = entriesIn(folder, `${path}/`, guide);
    return { entry: { type: 'section', title, slug, folder: `${path}/`, ...more, entries }, position };
  }
  const ofFile = guide.file(page);
  const { title = titleOfName(path), isNamed } = own.isNamed === undefined && ofFile.isNamed ? ofFile : own;
  const named = { title, slug: ofFile.slug ?? own.slug, ...(isNamed === undefined ? {} : { isNamed }) };
  const entries = entriesIn(withoutFile(folder, `${path}/`, page), `${path}/`, guide);
  const position = own.position ?? ofFile.position ?? own.number;
  return { entry: { type: 'file', ...named, path: page, entries }, position };
}

/** A folder without the file that stands for it. */
function withoutFile(folder: Folder, prefix: string, page: string): Folder {
  return { ...folder, files: folder.files.filter((one) => `${prefix}${one}` !== page) };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What a folder shows, in order: its first file, then everything else. */
function shownIn(folder: Folder, { isFilesFirst }: FolderGuide): FolderEntry[] {
  const beside = pagesBeside(folder);
  const taken = new Set(beside.values());
  const alone = folder.files.filter((file) => !taken.has(file)).map((name) => ({ name, file: name }));
  const folders = [...folder.folders].map(([name, inside]): FolderEntry => {
    const index = indexOf(inside);
    const file = index === undefined ? beside.get(name) : `${name}/${index}`;
    return { name, folder: inside, ...(file === undefined ? {} : { file }) };
  });
  const first = ({ name, folder: inside }: FolderEntry): number => (inside === undefined && isIndex(name) ? 0 : 1);
  const compare = isFilesFirst === true ? filesFirst : byName;
  return [...alone, ...folders].sort((a, b) => first(a) - first(b) || compare(a, b));
}

function byName(a: FolderEntry, b: FolderEntry): number {
  return collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1);
}

/** Files before folders. A file beside the folder whose page it is has the place of the file. */
function filesFirst(a: FolderEntry, b: FolderEntry): number {
  const fileIn = ({ file }: FolderEntry): string | undefined => (file?.includes('/') === true ? undefined : file);
  const [one, two] = [fileIn(a), fileIn(b)];
  if ((one === undefined) !== (two === undefined)) return one === undefined ? 1 : -1;
  return (one ?? a.name) < (two ?? b.name) ? -1 : 1;
}

/** Of README.md and index.md, the first stands for the folder, and the others are pages in it. */
function indexOf({ files }: Folder): string | undefined {
  const indexes = files.filter(isIndex).sort();
  return indexes.find((one) => /^readme/i.test(one)) ?? indexes[0];
}

/** Files that are the pages of the folders of the same name beside them, by these: `a.md` beside `a/`. */
function pagesBeside({ files, folders }: Folder): Map<string, string> {
  const byStem = new Map<string, string>();
  for (const file of [...files].sort()) if (!isIndex(file)) byStem.set(stemOf(file), file);
  const beside = new Map<string, string>();
  for (const [name, inside] of folders) {
    const file = indexOf(inside) === undefined ? byStem.get(stemOf(name)) : undefined;
    if (file === undefined) continue;
    beside.set(name, file);
    byStem.delete(stemOf(file));
  }
  return beside;
}
