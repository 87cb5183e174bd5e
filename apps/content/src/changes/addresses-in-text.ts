import { isLookedUp } from './looked-up.js';

/** Where addresses stand in markdown: in a link, behind the name of a definition, in an attribute. */
const inMarkdown = /\]\(\s*<?([^\s<>()]{1,2048})|\]:\s*<?([^\s<>]{1,2048})|\b(?:href|src|url)="([^"\s]{1,2048})"/g;
/** The same in a document as JSON. */
const inJSON = /"url":("(?:[^"\\]|\\.){1,2048}")/g;

/**
 * Addresses that probably lead to something in the same space. They are found without parsing the text, so that most texts have to be
 * parsed only once: what is missing here is found by parsing, and what is too much is never asked for.
 */
export function addressesIn(text: { markdown: string } | { json: string }): Set<string> {
  const found =
    'json' in text
      ? [...text.json.matchAll(inJSON)].map(([, url = '""']) => JSON.parse(url) as string)
      : [...text.markdown.matchAll(inMarkdown)].map(
          ([, link, definition, attribute]) => link ?? definition ?? attribute,
        );
  return new Set(found.filter((url) => url !== undefined && isLookedUp(url)) as string[]);
}
