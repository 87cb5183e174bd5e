import { headingLevel } from '../model/content.js';
import { type Block, type Json, type RichDocument } from '../model/types.js';
import { isBlock, walk } from '../model/walk.js';
import { blockText, inlineText } from './plain-text.js';

/** A heading with the anchor id a link can name. `level` is 1 to 3. */
export type Heading = { key: string; id: string; level: number; title: string };

/**
 * The anchor id of a text: lower case, words joined by hyphens, at most 100 characters; 'section' when nothing is left.
 */
export function anchorOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug.slice(0, 100).replace(/-+$/, '') || 'section';
}

/**
 * The headings of a document in order, each with an id of its own. A heading's own id wins, of several equal ones the
 * first; the others get `-1`, `-2`, … behind it, or behind the slug of their text, so adding a section does not change
 * the ids of those before it.
 */
export function outline(document: RichDocument): Heading[] {
  const found: Block[] = [];
  walk(document, (node) => {
    if (isBlock(node) && headingLevel(node) > 0) found.push(node);
  });
  const given = new Set<string>();
  const used = new Set(found.flatMap((node) => (typeof node.data['id'] === 'string' ? [node.data['id']] : [])));
  return found.map((node) => {
    const title = inlineText(node.nodes ?? []).trim();
    const fixed = node.data['id'];
    return {
      key: node.key ?? '',
      id: idOf(fixed, title, used, given),
      level: headingLevel(node),
      title,
    };
  });
}

/** The id that a heading has itself, once for all headings (`given`), or one made of its text. */
function idOf(fixed: Json | undefined, title: string, used: Set<string>, given: Set<string>): string {
  const own = typeof fixed === 'string' ? fixed : undefined;
  if (own === undefined || given.has(own)) return unique(own ?? anchorOf(title), used);
  given.add(own);
  return own;
}

function unique(slug: string, used: Set<string>): string {
  let id = slug;
  for (let n = 1; used.has(id); n++) id = `${slug}-${n}`;
  used.add(id);
  return id;
}

/**
 * A part of a page as search shows it: a heading (none for what stands before the first) and the text up to the next.
 */
export type Section = { heading: Heading | null; text: string };

/** The text of a document by section. Headings inside containers belong to the section around them. */
export function searchSections(document: RichDocument): Section[] {
  const headings = new Map(outline(document).map((heading) => [heading.key, heading]));
  const sections: Array<{ heading: Heading | null; parts: string[] }> = [{ heading: null, parts: [] }];
  for (const node of document.nodes) {
    const heading = headingLevel(node) > 0 ? headings.get(node.key ?? '') : undefined;
    if (heading) sections.push({ heading, parts: [] });
    else sections[sections.length - 1]?.parts.push(blockText(node));
  }
  return sections
    .map(({ heading, parts }) => ({ heading, text: parts.filter((part) => part !== '').join('\n') }))
    .filter((section) => section.heading !== null || section.text !== '');
}
