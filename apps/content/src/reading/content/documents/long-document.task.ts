import { sentencesOfBlocks } from '@scriptorium/openapi/shown';
import {
  links,
  toMarkdown,
  withApiBlocksWritten,
  withIntegrationsWritten,
  type RichDocument,
} from '@scriptorium/rich-text';
import { pageIdsIn, relativeUrl, type NamedPages } from '../view/relative-url.js';

/** How a document becomes markdown. */
export interface Written {
  /** The title of its page; absent for reusable contents. */
  title: string | undefined;
  refs: 'relative' | 'stable';
  named: NamedPages;
}

/** The ids of the pages that a document links to. Runs in a worker for long ones. */
export function linkedPages(text: string): string[] {
  return pageIdsIn(links(JSON.parse(text) as RichDocument));
}

/** A document as markdown. Runs in a worker for long ones. */
export function writeText({ text, ...written }: Written & { text: string }): string {
  return writeDocument(JSON.parse(text) as RichDocument, written);
}

/** A document as markdown, with what blocks show of specifications as text; for visitors, of integrations, too. */
export function writeDocument(document: RichDocument, { title, refs, named }: Written): string {
  const shown = named.isForVisitor === true ? withIntegrationsWritten(document) : document;
  return toMarkdown(withApiBlocksWritten(shown, sentencesOfBlocks), {
    ...(title === undefined ? {} : { context: 'page', title }),
    refs,
    formatLink: (ref, style) => relativeUrl(named, ref, style),
  });
}
