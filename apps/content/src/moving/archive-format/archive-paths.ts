/*
 * Where things stand in an export, and in what is imported: a folder of markdown as it is kept in a repository.
 */

export const configPath = '.gitbook.yaml';
/** The settings of mdBook. */
export const bookPath = 'book.toml';
export const summaryPath = 'SUMMARY.md';
export const assetsFolder = '.gitbook/assets';
export const includesFolder = '.gitbook/includes';
export const variablesPath = '.gitbook/vars.yaml';
/** What markdown cannot say: ids, moments, the order of siblings, and documents with the keys of their blocks. */
export const manifestPath = '.scriptorium/content.json';

/** The path of a stored object, by its name. */
export function objectPath(name: string): string {
  return `.scriptorium/objects/${name}.json`;
}

/** A part of a path that every file system takes: without separators, control characters, and dots at its ends. */
export function pathPart(text: string): string {
  const safe = text
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, '-')
    .replace(/^\.+|[. ]+$/g, (ends) => '-'.repeat(ends.length))
    .trim();
  return safe === '' ? 'page' : safe;
}

/** Gives each path once: one that is taken, also in other letters, gets a number before its ending. */
export function createNames(taken: readonly string[] = []): (path: string) => string {
  const known = new Set(taken.map((path) => path.toLowerCase()));
  const last = new Map<string, number>();
  return (path) => {
    const [, stem = path, ending = ''] = /^(.*?)(\.[^./]*)?$/su.exec(path) ?? [];
    let free = path;
    let number = last.get(path.toLowerCase()) ?? 0;
    while (known.has(free.toLowerCase())) free = `${stem}-${(number += 1)}${ending}`;
    last.set(path.toLowerCase(), number);
    known.add(free.toLowerCase());
    return free;
  };
}

/** A path as the target of a link in a file of a folder. */
export function relativeTo(folder: readonly string[], path: string): string {
  const parts = path.split('/');
  let shared = 0;
  while (shared < folder.length && shared < parts.length - 1 && folder[shared] === parts[shared]) shared += 1;
  const up = folder.slice(shared).map(() => '..');
  return [...up, ...parts.slice(shared)].map(encodePart).join('/');
}

/** The folder that a file stands in. */
export function folderOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

/** Blanks, `#`, `?` and brackets would end the address or change its meaning. */
function encodePart(part: string): string {
  return part.replace(/[\s#?()<>%]/g, encodeURIComponent);
}
