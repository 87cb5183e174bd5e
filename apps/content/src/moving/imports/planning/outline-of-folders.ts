import { isIndex, isPageFile, stemOf, titleOfName, type Files } from '../folder.js';
import { requireDepth, type Outline, type OutlinePage } from './outline.js';

/**
 * The pages of folders without `SUMMARY.md`: by their names, the first file of each folder in the place of the folder.
 */
export function outlineOfFolders(files: Files): Outline {
  const paths = [...files.keys()].filter(isPageFile);
  const pages: OutlinePage[] = [];
  addFolder(pages, treeOf(paths), { prefix: '', parent: undefined, depth: 1 });
  return { pages, warnings: [] };
}

interface Folder {
  files: string[];
  folders: Map<string, Folder>;
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

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** An entry of the navigation: a file, a folder, or both. */
interface FolderEntry {
  name: string;
  /** The file that is its page, from the folder around it. */
  file?: string;
  folder?: Folder;
}

/** Where a folder stands. `prefix`: its path with a slash at the end. */
interface At {
  prefix: string;
  /** The place of its page in the outline. */
  parent: number | undefined;
  depth: number;
}

function addFolder(pages: OutlinePage[], folder: Folder, at: At): void {
  const { prefix, parent, depth } = at;
  const inParent = parent === undefined ? {} : { parent };
  for (const { name, file, folder: inside } of entriesOf(folder)) {
    const path = `${prefix}${name}`;
    requireDepth(path, depth);
    const type = file === undefined && parent === undefined ? 'group' : 'document';
    const own = file === undefined ? { folder: `${path}/` } : { path: `${prefix}${file}` };
    const place = pages.push({ type, title: titleOfName(path), ...own, ...inParent }) - 1;
    if (inside === undefined) continue;
    addFolder(pages, withoutFile(inside, name, file), { prefix: `${path}/`, parent: place, depth: depth + 1 });
  }
}

/** A folder without the file that stands for it. */
function withoutFile(folder: Folder, name: string, file: string | undefined): Folder {
  return { ...folder, files: folder.files.filter((one) => `${name}/${one}` !== file) };
}

/** What a folder shows, in order: its first file, then everything by its name. */
function entriesOf(folder: Folder): FolderEntry[] {
  const beside = pagesBeside(folder);
  const taken = new Set(beside.values());
  const alone = folder.files.filter((file) => !taken.has(file)).map((name) => ({ name, file: name }));
  const folders = [...folder.folders].map(([name, inside]): FolderEntry => {
    const index = indexOf(inside);
    const file = index === undefined ? beside.get(name) : `${name}/${index}`;
    return { name, folder: inside, ...(file === undefined ? {} : { file }) };
  });
  const first = ({ name, folder: inside }: FolderEntry): number => (inside === undefined && isIndex(name) ? 0 : 1);
  return [...alone, ...folders].sort(
    (a, b) => first(a) - first(b) || collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1),
  );
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
