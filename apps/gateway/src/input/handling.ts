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

/** The value of a preference of a request, without quotes. The first one counts. */
function preferred({ prefer }: IncomingHttpHeaders, wanted: string): string | undefined {
  if (prefer === undefined) return undefined;
  const given = [prefer].flat().join(',');
  if (given.length > longestPreferences) return undefined;
  for (const element of given.match(elementForm) ?? []) {
    const [, name, value = ''] = preferenceForm.exec(element) ?? [];
    if (name?.toLowerCase() === wanted) return value.replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

/** Whether a request asks to be refused if it has fields that nothing reads: `Prefer: handling=strict`. */
export function wantsStrict(headers: IncomingHttpHeaders): boolean {
  return preferred(headers, 'handling') === 'strict';
}

/** The seconds that an answer may wait for work in the background, as `Prefer: wait=10` says; `most` at most. */
export function waitOf(headers: IncomingHttpHeaders, most: number): number {
  const seconds = most === 0 ? undefined : preferred(headers, 'wait');
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), most) : 0;
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
