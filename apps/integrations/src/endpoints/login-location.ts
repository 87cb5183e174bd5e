import { longestLoginLocation } from '@scriptorium/contracts';

/** Visible ASCII without a backslash, which browsers read as a slash. */
const plain = /^(?!@)[\x21-\x5b\x5d-\x7e]*$/;
const site = 'https://site.invalid/base/';

/**
 * What a visitor wants to see once they are signed in, as scripts get it: path and query on the site, without a slash
 * at the beginning; empty for the first page. Behind the address of the site, and relative to it, it leads to the site
 * alone. `undefined` for what leads elsewhere, or brings a token. Pure.
 */
export function loginLocation(given: string | null): string | undefined {
  if (given === null || given.length > longestLoginLocation) return '';
  if (given.startsWith('//') || !plain.test(given)) return undefined;
  const path = given.replace(/^\//, '');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return undefined;
  // A colon in the first part would end a scheme.
  const location = path.replace(/^[^/?#]*/, (first) => first.replaceAll(':', '%3A'));
  const url = URL.parse(location, site);
  if (url === null || !url.href.startsWith(site) || url.searchParams.has('jwt_token')) return undefined;
  return location;
}
