import { decoded, isPageFile, joined, titleOfName, type Files } from '../folder.js';
import { entriesOfFolders, type FolderGuide } from './folder-entries.js';
import { deepestList, isAddress, type NavigationEntry } from './navigation-entry.js';
import { sectionOf, withIndexPages } from './section-pages.js';
import { mapOf, own, readYaml, textIn } from './yaml-map.js';

/** What `mkdocs.yml` says of the pages. */
export interface MkdocsSettings {
  /** The folder of the pages, from that of the file. */
  folder: string;
  /** The navigation as it is written; `undefined` for none. */
  nav: readonly unknown[] | undefined;
  /** Why the file cannot be read. */
  problem?: string;
}

/** The folder of the pages unless the file names another one. */
const usualFolder = 'docs';

/** Reads `mkdocs.yml`: `undefined` for one whose text cannot be had. */
export function readMkdocs(text: string | undefined): MkdocsSettings {
  // MkDocs takes the last of several keys, too.
  const read = text === undefined ? { problem: 'It is too long, or no text' } : readYaml(text, { uniqueKeys: false });
  if ('problem' in read) return { folder: usualFolder, nav: undefined, problem: read.problem };
  const nav = own(read.map, 'nav') ?? own(read.map, 'pages');
  return { folder: textIn(own(read.map, 'docs_dir')) ?? usualFolder, nav: Array.isArray(nav) ? nav : undefined };
}

interface Reading {
  files: Files;
  guide: FolderGuide | undefined;
  /** What it names that is not there. */
  missing: string[];
}

/** The entries of a `nav`; `missing`: the paths that it names, and that are not there. */
export function entriesOfNav(
  files: Files,
  nav: readonly unknown[],
  guide?: FolderGuide,
): { entries: NavigationEntry[]; missing: string[] } {
  const reading: Reading = { files, guide, missing: [] };
  const entries = withIndexPages(files, entriesOf(reading, nav, 1));
  return { entries, missing: reading.missing };
}

function entriesOf(reading: Reading, items: readonly unknown[], depth: number): NavigationEntry[] {
  if (depth > deepestList) return [];
  return items.flatMap((item) => {
    const text = textIn(item);
    if (text !== undefined) return entriesAt(reading, text, undefined, depth);
    return Object.entries(mapOf(item) ?? {}).flatMap(([title, value]) => titled(reading, title, value, depth));
  });
}

function titled(reading: Reading, title: string, value: unknown, depth: number): NavigationEntry[] {
  const address = textIn(value);
  if (address !== undefined) return entriesAt(reading, address, title.trim() || undefined, depth);
  if (!Array.isArray(value)) return [];
  return [sectionOf(title, entriesOf(reading, value, depth + 1), depth > 1)];
}

/** What stands at an address: a link, a page, or the pages of a folder. */
function entriesAt(reading: Reading, address: string, title: string | undefined, depth: number): NavigationEntry[] {
  const { files, guide, missing } = reading;
  if (isAddress(address)) return [{ type: 'link', title: title ?? address, url: address }];
  const { above, path } = joined([], decoded(address));
  if (above === 0 && files.has(path) && isPageFile(path)) return [pageAt(path, title)];
  const inside = above > 0 || path === '' ? [] : entriesOfFolders(files, guide, `${path}/`);
  if (inside.length > 0) return title === undefined ? inside : [sectionOf(title, inside, depth > 1)];
  // Patterns of plugins name files that are listed nowhere else.
  if (!/^\.\.\.|[*|]/.test(address)) missing.push(address);
  return [];
}

function pageAt(path: string, title: string | undefined): NavigationEntry {
  const named = title === undefined ? { title: titleOfName(path) } : { title, isNamed: true as const };
  return { type: 'file', ...named, path, entries: [] };
}
