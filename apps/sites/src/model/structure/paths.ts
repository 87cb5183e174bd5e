import { asciiSlug, isReservedSitePath, siteBounds } from '@scriptorium/contracts';

/**
 * The path of a title: its letters without marks and its digits, joined by single dashes; `undefined` when nothing is
 * left.
 */
export function pathOf(title: string): string | undefined {
  const path = asciiSlug(title, siteBounds.path);
  return path === '' || isReservedSitePath(path) ? undefined : path;
}

/** The n-th path to try; the first is the plain one, the second ends in `-2`. */
export function nthPath(path: string, n: number): string {
  if (n === 1) return path;
  const end = `-${n}`;
  return `${path.slice(0, siteBounds.path - end.length)}${end}`;
}

/** The first free path for a title. `fallback`: the word for titles without letters; a number follows it. */
export function freePath(title: string, taken: ReadonlySet<string>, fallback: string): string {
  const path = pathOf(title);
  for (let n = 1; ; n += 1) {
    const candidate = path === undefined ? `${fallback}-${n}` : nthPath(path, n);
    if (!taken.has(candidate)) return candidate;
  }
}
