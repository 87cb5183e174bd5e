import type { IncomingHttpHeaders } from 'node:http';

/** Names the fields of a request that nothing reads. */
export const ignoredHeader = 'scriptorium-ignored';

const mostNames = 20;
const longestHeader = 1_024;

/** A preference: its name, and its value as a token or a quoted text (RFC 7240, 2). */
const preferenceForm = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*))?/;
/** One element of a list; a comma inside of a quoted text does not end it. */
const elementForm = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;
/** A longer header is not read. */
const longestPreferences = 1_024;

/**
 * Whether a request asks to be refused if it has fields that nothing reads: `Prefer: handling=strict`. The first
 * `handling` counts.
 */
export function wantsStrict({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  const given = [prefer].flat().join(',');
  if (given.length > longestPreferences) return false;
  for (const element of given.match(elementForm) ?? []) {
    const [, name, value = ''] = preferenceForm.exec(element) ?? [];
    if (name?.toLowerCase() === 'handling') return value.replace(/^"(.*)"$/, '$1') === 'strict';
  }
  return false;
}

/** The value of the header for some paths: at most 20 names and 1,024 characters; `...` stands for more. */
export function ignoredValue(paths: readonly string[]): string {
  const names: string[] = [];
  let length = 0;
  for (const path of paths) {
    const name = headerName(path);
    length += name.length + 2;
    if (names.length === mostNames || length > longestHeader) return [...names, '...'].join(', ');
    names.push(name);
  }
  return names.join(', ');
}

/** A path with everything percent-encoded that would end a name or a header. Half of a pair has no encoding. */
function headerName(path: string): string {
  return path.toWellFormed().replace(/[^\w.[\]$@*~-]/gu, encodeURIComponent);
}
