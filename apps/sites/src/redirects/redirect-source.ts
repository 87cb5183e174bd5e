import { invalid, partsOfPath } from '@scriptorium/contracts';

const none = 'No address on a site has this path';

/**
 * The path of a redirect as addresses are compared with it: decoded, in NFC. `undefined` for a path that no address
 * has.
 */
export function sourceOf(path: string): string | undefined {
  return problemOf(path) === undefined ? `/${(partsOfPath(path) ?? []).join('/')}` : undefined;
}

/**
 * The same for a redirect that is made. `field`: what names it in the request. @throws AppError `invalid_request` that
 * says why
 */
export function redirectSource(path: string, field: string): string {
  const problem = problemOf(path);
  if (problem !== undefined) throw invalid(field, problem);
  return sourceOf(path) ?? '';
}

function problemOf(path: string): string | undefined {
  const parts = partsOfPath(path);
  if (parts === undefined || parts.length === 0) return none;
  // A slash at the end names the same page.
  if (!path.startsWith('/') || path.replace(/\/$/, '').split('/').length !== parts.length + 1)
    return 'A path must not have empty parts';
  return parts.map(problemOfPart).find((one) => one !== undefined);
}

function problemOfPart(part: string): string | undefined {
  if (part === '.' || part === '..') return `A path must not have the part ${part}`;
  if (part.includes('*')) return 'A redirect is of one path: wildcards are not supported';
  if (part.startsWith('~')) return 'Paths with a part that begins with ~ are reserved';
  return /[/\\\p{Cc}]/u.test(part) ? none : undefined;
}
