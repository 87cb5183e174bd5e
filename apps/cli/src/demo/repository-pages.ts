import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** A page of the demo, from a markdown file of this repository. */
export interface RepositoryPage {
  /** Its path in the repository, with `/`. */
  path: string;
  markdown: string;
  title: string;
}

/**
 * The markdown files of some folders and files of the repository, in the order in which they are named, files of a
 * folder by name. What is not there is left out.
 */
export async function readPages(repository: string, places: readonly string[]): Promise<RepositoryPage[]> {
  const pages: RepositoryPage[] = [];
  for (const place of places)
    for (const path of await filesAt(repository, place)) {
      const markdown = await readFile(join(repository, path), 'utf8');
      pages.push({ path, markdown, title: titleOf(markdown, path) });
    }
  return pages;
}

/** A file itself, or the markdown files of a folder; `packages/*` has the README of each folder in `packages`. */
async function filesAt(repository: string, place: string): Promise<string[]> {
  if (place.endsWith('/*')) {
    const parent = place.slice(0, -2);
    const folders = await readdir(join(repository, parent));
    return folders
      .sort()
      .map((folder) => posix.join(parent, folder, 'README.md'))
      .filter(isThere);
  }
  if (place.endsWith('.md')) return isThere(place) ? [place] : [];
  if (!isThere(place)) return [];
  const names = await readdir(join(repository, place));
  return names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => posix.join(place, name));

  function isThere(path: string): boolean {
    return existsSync(join(repository, path));
  }
}

function titleOf(markdown: string, path: string): string {
  return /^# +(.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '').trim() ?? posix.basename(path, '.md');
}

const fence = /^ *(```|~~~)/;
const linked = /(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g;

/**
 * Markdown whose links to files lead to what `find` gives for the path of the file in the repository. Of a link to what
 * is no page only the text stays. Code and links to the web stay as they are.
 */
export function rewriteLinks(
  { path, markdown }: Pick<RepositoryPage, 'path' | 'markdown'>,
  find: (path: string) => string | undefined,
): string {
  let inCode = false;
  const lines = markdown.split('\n').map((line) => {
    if (fence.test(line)) inCode = !inCode;
    return inCode ? line : outsideCode(line, (text) => text.replace(linked, replaced));
  });
  return lines.join('\n');

  function replaced(whole: string, image: string, text: string, target: string): string {
    if (image !== '' || /^([a-z]+:|#|\/)/i.test(target)) return whole;
    const [file = '', anchor] = target.split('#');
    const found = find(posix.join(posix.dirname(path), file));
    if (found === undefined) return text;
    return `[${text}](${found}${anchor === undefined ? '' : `#${anchor}`})`;
  }
}

/** Changes what of a line is not code. */
function outsideCode(line: string, change: (text: string) => string): string {
  // A link whose text is code is a link: only code that stands alone is kept apart.
  return line
    .split(/((?<!\[)`[^`]*`(?!\]))/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}
