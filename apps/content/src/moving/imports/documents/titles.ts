import { contentBounds } from '@scriptorium/contracts';
import { toPlainText, validate, type FrontMatter, type RichDocument } from '@scriptorium/rich-text';
import { cutText } from '../folder.js';

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** The title that front matter names. `long`: all of one that is longer than titles can be. */
export function titleOfFront(frontMatter: FrontMatter | undefined): { title: string; long?: string } | undefined {
  const given = frontMatter?.other?.['title'];
  const text = typeof given === 'number' || typeof given === 'string' ? oneLine(String(given)).toWellFormed() : '';
  if (text === '') return undefined;
  return text.length <= contentBounds.title
    ? { title: text }
    : { title: cutText(text, contentBounds.title), long: text };
}

/** The title that a heading is. */
export function titleOfHeading(heading: string | undefined): string | undefined {
  const title = cutText(oneLine(heading ?? ''), contentBounds.title);
  return title === '' ? undefined : title.toWellFormed();
}

/** A document that begins with a heading, unless it does already. @throws RichTextError for too many nodes */
export function withHeading(text: string, document: RichDocument): RichDocument {
  const [first] = document.nodes;
  const begins = first?.type === 'heading-1' && oneLine(toPlainText({ ...document, nodes: [first] })) === text;
  if (begins) return document;
  const leaf = { object: 'leaf', text, marks: [] };
  const heading = {
    object: 'block',
    type: 'heading-1',
    isVoid: false,
    data: {},
    nodes: [{ object: 'text', leaves: [leaf] }],
  };
  return validate({ ...document, nodes: [heading, ...document.nodes] });
}

/**
 * The title of a page: that of the navigation, then of its front matter, then its heading. `shown`: what the page shows
 * as a heading then, since it is not the title.
 */
export function titled(
  named: string | undefined,
  given: ReturnType<typeof titleOfFront>,
  heading: string | undefined,
): { title: string | undefined; shown: string | undefined } {
  if (named === undefined) return { title: given?.title ?? heading, shown: given?.long };
  const own = given?.long ?? given?.title ?? heading;
  return { title: named, shown: own === named ? undefined : own };
}
