import type { ContentReference } from '@scriptorium/contracts';

/** What an address leads to; `null` when that is nothing. */
export type LinkTarget = ContentReference | null;

/** What addresses of references that the changes were given begin with. */
export const contentRefPrefix = '/content-refs/';

/** What addresses of files of the same space begin with. */
export const filePrefix = '/files/';

/** Whether only a look at the content tells what an address leads to. */
export function isLookedUp(url: string): boolean {
  return leadsToPage(url) || url.startsWith(contentRefPrefix) || url.startsWith(filePrefix);
}

/** Whether an address may be that of a page in the same space: a relative one, or one that begins with `/pages/`. */
export function leadsToPage(url: string): boolean {
  if (/^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(url)) return false;
  return !url.startsWith('/') || url.startsWith('/pages/');
}
