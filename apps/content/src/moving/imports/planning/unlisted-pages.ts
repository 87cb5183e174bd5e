import { isIndex, titleOfName } from '../folder.js';

/** What is known of a page that is going to be: its file, or the folder that it stands for, and where it stands. */
interface Listed {
  type: string;
  title: string;
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
 * file, as the one page that holds what is listed of it, as the file beside it with its name, or as the section that is
 * called as it is where it would stand.
 */
export function byHomes(pages: readonly Listed[], unlisted: Iterable<string>): UnlistedFiles[] {
  const homeOf = homesWithSections(pages);
  const found = new Map<string, UnlistedFiles>();
  for (const path of unlisted) {
    const below = foldersAround(path).find((folder) => homeOf(folder) !== undefined) ?? '';
    const together = found.get(below) ?? { home: homeOf(below), below, paths: new Set<string>() };
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

/** Finds the place of the page that stands for a folder, which may be a section without a file that is called so. */
function homesWithSections(pages: readonly Listed[]): (folder: string) => number | undefined {
  const homes = homesOf(pages);
  const sections = new Map<string, number>();
  const keyOf = (parent: number | undefined, title: string): string => `${parent ?? ''} ${title.toLowerCase()}`;
  for (const [place, { type, title, path, parent }] of [...pages.entries()].reverse())
    if (path === undefined && (type === 'group' || type === 'document')) sections.set(keyOf(parent, title), place);
  const sectionOf = (folder: string): number | undefined => {
    const plain = folder.slice(0, -1);
    const around = folderOf(plain);
    const parent = homeOf(around);
    // Within a folder that has no page, it would stand in a page that is not listed either.
    return around !== '' && parent === undefined ? undefined : sections.get(keyOf(parent, titleOfName(plain)));
  };
  const known = new Map<string, number | undefined>([...homes, ['', undefined]]);
  const homeOf = (folder: string): number | undefined => {
    if (!known.has(folder)) known.set(folder, sectionOf(folder));
    return known.get(folder);
  };
  return homeOf;
}

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
