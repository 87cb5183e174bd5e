import { AppError, blaming } from '@scriptorium/contracts';

const maxLength = 2048;

/**
 * Refuses a request target of more than 2,048 characters, with a NUL character, or with percent signs that are not
 * UTF-8. Returns the refusal or null.
 */
export function refuseTarget(url: string): AppError | null {
  if (url.length > maxLength) return refusal(`The URL is longer than ${maxLength} characters`);
  if (!url.includes('%')) return null;
  if (url.includes('%00')) return refusal('The URL contains a NUL character');
  try {
    decodeURIComponent(url);
    return null;
  } catch {
    return refusal('The URL is not correctly percent-encoded');
  }
}

/** Refuses an empty path parameter: `/v1/orgs/` is not a path. Returns the refusal or null. */
export function refuseEmpty(params: Readonly<Record<string, string>>): AppError | null {
  return Object.values(params).includes('')
    ? new AppError('not_found', [], { message: 'There is no such path' })
    : null;
}

function refusal(message: string): AppError {
  return blaming('invalid_request', 'url', message);
}

/** The path of a request target, without origin and query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '') || '/';
}
