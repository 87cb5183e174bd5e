import { type RichDocument } from '../model/types.js';
import { isBlock, walk } from '../model/walk.js';
import { headingLevel } from '../model/content.js';
import { outline } from './outline.js';

/** What links can name in a document: the ids of headings and of anchors in texts, each once, in reading order. */
export function anchors(document: RichDocument): string[] {
  const headings = new Map(outline(document).map(({ key, id }) => [key, id]));
  const found = new Set<string>();
  walk(document, (node) => {
    const heading = isBlock(node) && headingLevel(node) > 0 ? headings.get(node.key ?? '') : undefined;
    if (heading !== undefined) found.add(heading);
    const id = node.object === 'inline' && node.type === 'anchor' ? node.data['id'] : undefined;
    if (typeof id === 'string' && id !== '') found.add(id);
  });
  return [...found];
}

/**
 * The id that the anchor of a link means: the same one, or else the first that is the same but for case, punctuation,
 * spaces and diacritics, as other products make ids of headings by other rules. `undefined` when there is none.
 */
export function resolveAnchor(anchor: string, ids: Iterable<string>): string | undefined {
  return anchorFinder(ids)(anchor);
}

/** `resolveAnchor` for many anchors of one document: it looks at the ids once. */
export function anchorFinder(ids: Iterable<string>): (anchor: string) => string | undefined {
  const exact = new Set<string>();
  const byBare = new Map<string, string>();
  for (const id of ids) {
    exact.add(id);
    const bare = bareAnchor(id);
    if (bare !== '' && !byBare.has(bare)) byBare.set(bare, id);
  }
  return (anchor) => {
    if (exact.has(anchor)) return anchor;
    const decoded = decodedAnchor(anchor);
    return exact.has(decoded) ? decoded : byBare.get(bareAnchor(decoded));
  };
}

/** Letters and digits alone, in lower case: what ids of a heading have in common, whichever product made them. */
export const bareAnchor = (anchor: string): string =>
  anchor
    .replace(/^user-content-/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

function decodedAnchor(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}

/** The ids that GitHub, GitBook and Docusaurus give to a heading of this text. */
export function foreignAnchors(title: string): string[] {
  const text = title.trim().toLowerCase();
  const github = text.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replace(/ /g, '-');
  const gitbook = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}._+]+/gu, '-');
  return [...new Set([github, gitbook.replace(/^-+|-+$/g, '')])].filter((id) => id !== '');
}
