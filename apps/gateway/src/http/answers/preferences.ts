import type { IncomingHttpHeaders } from 'node:http';

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
