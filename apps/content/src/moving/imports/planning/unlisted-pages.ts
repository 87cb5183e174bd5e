import { isIndex } from '../folder.js';

/** What is known of a page that is going to be: its file, or the folder that it stands for, and its parent. */
interface Listed {
  path?: string;
  folder?: string;
  parent?: number;
}

/** Unlisted files of one folder: they stand at the end of the page `home`, or at the top without one. */
export interface UnlistedFiles {
  home: number | undefined;
  /** The folder that `home` stands for, with a slash at its end; empty at the top. */
  below: string;
  paths: Set<string>;
}

/**
 * The files by the innermost folder around them that pages of the outline stand for: as the folder itself, as its first
 * file, as the one page that holds what is listed of it, or as the file beside it with its name.
 */
export function byHomes(pages: readonly Listed[], unlisted: Iterable<string>): UnlistedFiles[] {
  const homes = homesOf(pages);
  const found = new Map<string, UnlistedFiles>();
  for (const path of unlisted) {
    const below = foldersAround(path).find((folder) => homes.has(folder)) ?? '';
    const together = found.get(below) ?? { home: homes.get(below), below, paths: new Set<string>() };
    together.paths.add(path);
    found.set(below, together);
  }
  return [...found.values()];
}

/** The folders around a file, from the innermost, each with a slash at its end. */
function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => `${parts.slice(0, parts.length - at).join('/')}/`);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The places of the pages that stand for folders, by these. */
function homesOf(pages: readonly Listed[]): Map<string, number> {
  const [own, around, beside] = [new Map<string, number>(), parentsOf(pages), new Map<string, number>()];
  for (const [place, { path, folder }] of pages.entries()) {
    const isFirst = path !== undefined && isIndex(path);
    const named = folder ?? (isFirst ? folderOf(path) : '');
    if (named !== '' && !own.has(named)) own.set(named, place);
    if (path !== undefined && !isFirst) beside.set(`${path.replace(/\.[^./]*$/, '')}/`, place);
  }
  return new Map([...beside, ...around, ...own]);
}

/** The page that all listed files of a folder stand in, by the folder, where there is one. */
function parentsOf(pages: readonly Listed[]): Map<string, number> {
  const parents = new Map<string, Set<number | undefined>>();
  for (const { path, parent } of pages) {
    const folder = path === undefined ? '' : folderOf(path);
    if (folder !== '') parents.set(folder, (parents.get(folder) ?? new Set()).add(parent));
  }
  return new Map(
    [...parents].flatMap(([folder, [only, ...others]]): [string, number][] =>
      only === undefined || others.length > 0 ? [] : [[folder, only]],
    ),
  );
}
