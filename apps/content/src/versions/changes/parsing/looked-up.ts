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

/** Where addresses stand in markdown: in a link, behind the name of a definition, in an attribute. */
const inMarkdown = /\]\(\s*<?([^\s<>()]{1,2048})|\]:\s*<?([^\s<>]{1,2048})|\b(?:href|src|url)="([^"\s]{1,2048})"/g;
/** The same in a document as JSON. */
const inJSON = /"url":("(?:[^"\\]|\\.){1,2048}")/g;

/** Addresses of one text that are looked up before it is parsed. */
const mostAddresses = 1_000;

/**
 * Addresses that probably lead to something in the same space. They are found without parsing the text, so that most
 * texts have to be parsed only once: what is missing here is found by parsing. Each is looked up before the parser can
 * refuse the text, so they are bounded.
 */
export function addressesIn(text: { markdown: string } | { json: string }): Set<string> {
  const found = new Set<string>();
  for (const url of 'json' in text ? inText(text.json, inJSON) : inText(text.markdown, inMarkdown)) {
    if (found.size >= mostAddresses) break;
    const address = 'json' in text ? (JSON.parse(url) as string) : url;
    if (isLookedUp(address)) found.add(address);
  }
  return found;
}

function* inText(text: string, pattern: RegExp): Generator<string> {
  for (const [, ...groups] of text.matchAll(pattern)) {
    const url = groups.find((group) => group !== undefined);
    if (url !== undefined) yield url;
  }
}
