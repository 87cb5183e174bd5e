import type { Dialect } from '@scriptorium/rich-text';
import type { Entry } from './entry.js';

/** The files of an import by their paths. */
export type Files = ReadonlyMap<string, Entry>;

/** What names of files of markdown end with. */
const ending = /\.(mdx?|markdown)$/i;

const pageEnding = /\.(mdx?|markdown|html?)$/i;

/** Whether a file is a page: markdown that is no part of the settings. */
export function isPageFile(path: string): boolean {
  return ending.test(path) && !/(^|\/)\./.test(path);
}

/** Whether a file is HTML, which is a page where an index of Confluence lists it. */
export function isHtmlPage(path: string): boolean {
  return /\.html?$/i.test(path);
}

/** Whether a file is written in MDX: markdown with code in it. */
export function isMdx(path: string): boolean {
  return /\.mdx$/i.test(path);
}

/** How a file is written that no export has. */
export function dialectOf(path: string): Dialect {
  return isMdx(path) ? 'mdx' : 'other';
}

/**
 * The last part of the path of a file or folder, without the ending of a page and the ids that Notion and Confluence
 * put behind names.
 */
export function stemOf(path: string): string {
  const name = (path.split('/').at(-1) ?? '').replace(/(?<=.)_\d{4,}(?=\.html?$)/i, '').replace(pageEnding, '');
  return name.replace(/(?<=.)[\s_-][0-9a-f]{32}$/, '').trim() || name;
}

/** Files without the one folder in which all of them stand, as archives of repositories have it. */
export function withoutTopFolder(files: Files): Files {
  const tops = new Set([...files.keys()].map((path) => path.split('/', 1)[0] ?? ''));
  const [top = ''] = tops;
  const isAlone = tops.size === 1 && !top.startsWith('.') && !files.has(top);
  return isAlone ? within(files, top) : files;
}

/** The files of a folder, by their paths in it. */
export function within(files: Files, folder: string): Files {
  if (folder === '') return files;
  const prefix = `${folder}/`;
  const inside = [...files].filter(([path]) => path.startsWith(prefix));
  return new Map(inside.map(([path, entry]) => [path.slice(prefix.length), entry]));
}

/** A path from a folder, as a link has it; how many folders it leads out of, and the path there. */
export function joined(folder: readonly string[], link: string): { above: number; path: string } {
  const parts = link.startsWith('/') ? [] : [...folder];
  let above = 0;
  for (const part of link.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) above += 1;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return { above, path: parts.join('/') };
}

/** The path of a file beside or below a folder, from that folder: `../` for each folder that it leads out of. */
export function pathFrom(folder: string, path: string): string {
  const [from, to] = [folder.split('/').filter(Boolean), path.split('/')];
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1;
  return '../'.repeat(from.length - same) + to.slice(same).join('/');
}

/** A link without what encodes it; as it is when it cannot be decoded. */
export function decoded(link: string): string {
  try {
    return decodeURIComponent(link).normalize('NFC');
  } catch {
    return link;
  }
}

/** The beginning of a text, which never ends within a character. */
export function cutText(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** A title for a file or folder without one of its own: `getting-started.md` is `Getting started`. */
export function titleOfName(path: string): string {
  const words = stemOf(path)
    .replace(/[-_\s]+/g, ' ')
    .trim();
  return words === '' ? 'Untitled' : cutText(`${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`, 255);
}

/** The file that stands for a folder. */
export function isIndex(path: string): boolean {
  return /(^|\/)(readme|index)\.(mdx?|markdown)$/i.test(path);
}

/**
 * The last part of the path of the page that a file becomes; `undefined` for the first file of all, which has none, and
 * for one without a name.
 */
export function slugPart(path: string): string | undefined {
  // Confluence names pages by nothing but an id whose titles are in other scripts.
  if (/^\d+\.html?$/i.test(path)) return undefined;
  if (!isIndex(path)) return stemOf(path);
  const folder = path.split('/').slice(0, -1).join('/');
  return folder === '' ? undefined : stemOf(folder);
}
