import type { ImportWarning } from '@scriptorium/contracts';
import type { Entry } from '../entry.js';
import { isPageFile, type Files } from '../folder.js';
import { guideOfDocusaurus, idsOfPages, isCategoryFile } from './docusaurus.js';
import { entriesOfFolders } from './folder-entries.js';
import { mostFronts, type Front } from './front.js';
import { entriesOfNav } from './mkdocs.js';
import type { NavigationEntry } from './navigation-entry.js';
import { guideOfPages, isPagesFile } from './pages-files.js';
import { isMkdocs, type Project } from './project.js';
import { entriesOfSidebars, readSidebars } from './sidebars.js';

/** The navigation of an import that has no `SUMMARY.md`. */
export interface Navigation {
  /** The file that has it; empty for the folders themselves. */
  path: string;
  entries: NavigationEntry[];
  warnings: ImportWarning[];
}

/** Reads files of an import; `undefined` as long as their bytes are not there, which is noted. */
export interface NavigationReader {
  /** A file with settings, which says nothing when it is too large or cannot be read. */
  small: (files: Files, path: string) => string | undefined;
  front: (entry: Entry) => Front | undefined;
}

interface Given {
  /** The files of the folder with the pages, and all of the import. */
  files: Files;
  all: Files;
  project: Project | undefined;
  reader: NavigationReader;
}

/** Files that say of one folder what it is: how many, and their bytes. Others say nothing. */
const [mostFolderFiles, longestFolderFile] = [2_000, 16 * 1024];

/** The order that MkDocs or Docusaurus gives to pages; `undefined` when nothing says any. */
export function readNavigation(given: Given): Navigation | undefined {
  const { files, project } = given;
  const isOfMkdocs = project !== undefined && isMkdocs(project);
  return isOfMkdocs || [...files.keys()].some(isPagesFile) ? ofMkdocs(given) : ofDocusaurus(given);
}

function ofMkdocs(given: Given): Navigation {
  const { files, project: { path = '', nav, problem } = {} } = given;
  const pagesFiles = textsOf(given, isPagesFile);
  const guide = guideOfPages(pagesFiles);
  if (nav !== undefined) {
    const { entries, missing } = entriesOfNav(files, nav, guide);
    return { path, entries, warnings: missingPages(path, missing) };
  }
  const order = `pages stand in the order of ${pagesFiles.size > 0 ? 'files .pages and of ' : ''}their names`;
  const warnings: ImportWarning[] =
    problem === undefined ? [] : [{ kind: 'unreadable', path, message: `${problem}; ${order}` }];
  return { path: '', entries: entriesOfFolders(files, guide), warnings };
}

function missingPages(path: string, missing: readonly string[]): ImportWarning[] {
  return [...new Set(missing)].map((target) => ({ kind: 'missing_page', path, target: target.slice(0, 256) }));
}

function unknownEntries(path: string, kinds: readonly string[]): ImportWarning[] {
  return [...new Set(kinds)].map((target) => ({ kind: 'unknown_entry', path, target: target.slice(0, 256) }));
}

function textsOf({ files, reader }: Given, isOne: (path: string) => boolean): Map<string, string> {
  const texts = new Map<string, string>();
  const found = [...files].filter(([path, { size }]) => isOne(path) && size <= longestFolderFile);
  for (const [path] of found.slice(0, mostFolderFiles)) {
    const text = reader.small(files, path);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

function ofDocusaurus(given: Given): Navigation | undefined {
  const { files, all, project, reader } = given;
  const categories = textsOf(given, isCategoryFile);
  const sidebarsPath = project?.sidebars;
  const sidebars = sidebarsPath === undefined ? undefined : reader.small(all, sidebarsPath);
  const { fronts, warnings } = frontsOf(given);
  const isKnown = project !== undefined || [...files.keys()].some(isCategoryFile);
  if (!isKnown && ![...fronts.values()].some(isOrdered)) return undefined;
  const ids = idsOfPages([...files.keys()].filter(isPageFile), fronts);
  const guide = guideOfDocusaurus({ categories, fronts, ids });
  const listed = sidebars === undefined ? undefined : readSidebars(sidebarsPath ?? '', sidebars);
  if (listed === undefined) {
    const computed = sidebars === undefined ? [] : [computedSidebars(sidebarsPath ?? '')];
    const entries = entriesOfFolders(files, guide);
    return { path: '', entries, warnings: [...computed, ...(isKnown ? warnings : [])] };
  }
  const { entries, missing, unknown } = entriesOfSidebars({ files, ids, fronts, guide }, listed);
  const path = sidebarsPath ?? '';
  return { path, entries, warnings: [...missingPages(path, missing), ...unknownEntries(path, unknown), ...warnings] };
}

function computedSidebars(path: string): ImportWarning {
  const message = 'It is computed, and is not run: pages stand in the order of their folders and positions';
  return { kind: 'not_supported', path, message };
}

function isOrdered({ position, label }: Front): boolean {
  return position !== undefined || label !== undefined;
}

/** What the front matter of pages says, by their paths. */
function frontsOf({ files, reader, project }: Given): { fronts: Map<string, Front>; warnings: ImportWarning[] } {
  const pages = [...files].filter(([path]) => isPageFile(path));
  const fronts = new Map<string, Front>();
  for (const [path, entry] of pages.slice(0, mostFronts)) {
    const front = reader.front(entry);
    if (front !== undefined) fronts.set(path, front);
  }
  const message = `There are ${pages.length} pages: the positions that those beyond ${mostFronts} name do not count`;
  const path = project?.path ?? '';
  return { fronts, warnings: pages.length > mostFronts ? [{ kind: 'not_supported', path, message }] : [] };
}
