import { type RichDocument } from '../model/types.js';
import { isBlock, walk, type AnyNode } from '../model/walk.js';
import { headingLevel } from '../model/content.js';
import { anchorOf, outline, type Heading } from './outline.js';

/**
 * What links can name in a document, each once, in reading order: the ids of headings, also those that the texts of
 * headings with an own id make, and the ids of anchors in texts.
 */
export function anchors(document: RichDocument): string[] {
  const headings = outline(document);
  const inTexts = anchorsInTexts(document);
  const ids = new Map(headings.map(({ key, id }) => [key, id]));
  const derived = derivedIn(headings, inTexts);
  const found = new Set<string>();
  walk(document, (node) => {
    const key = isBlock(node) && headingLevel(node) > 0 ? (node.key ?? '') : undefined;
    for (const id of key === undefined ? [anchorIn(node)] : [ids.get(key), derived.get(key)])
      if (id !== undefined) found.add(id);
  });
  return [...found];
}

/**
 * The ids that the texts of headings make where these have an own one, by the keys of their blocks: authors link to
 * either. What is the id of another heading or of an anchor in a text is none.
 */
export function derivedIds(document: RichDocument): ReadonlyMap<string, string> {
  return derivedIn(outline(document), anchorsInTexts(document));
}

function derivedIn(headings: readonly Heading[], inTexts: readonly string[]): Map<string, string> {
  // A heading without an own id has that of its text, or another one has it: only those with an own id add any.
  const used = new Set([...headings.map(({ id }) => id), ...inTexts]);
  const derived = new Map<string, string>();
  for (const { key, title } of headings) {
    const id = anchorOf(title);
    if (used.has(id)) continue;
    used.add(id);
    derived.set(key, id);
  }
  return derived;
}

function anchorsInTexts(document: RichDocument): string[] {
  const found: string[] = [];
  walk(document, (node) => {
    const id = anchorIn(node);
    if (id !== undefined) found.push(id);
  });
  return found;
}

/** The id of an anchor in a text; `undefined` for what is none. */
function anchorIn(node: AnyNode): string | undefined {
  const id = node.object === 'inline' && node.type === 'anchor' ? node.data['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
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
