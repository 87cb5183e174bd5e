import { markdownOfBlocks } from '@scriptorium/openapi/shown';
import { apiBlocks, links, toMarkdown, withParsedBlocks, type RichDocument } from '@scriptorium/rich-text';
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

/** A document as markdown. */
export function writeDocument(document: RichDocument, { title, refs, named }: Written): string {
  return toMarkdown(withOperationsWritten(document), {
    ...(title === undefined ? {} : { context: 'page', title }),
    refs,
    formatLink: (ref, style) => relativeUrl(named, ref, style),
  });
}

/** Blocks that show operations and schemas as what they show. What is not there stays a block. */
function withOperationsWritten(document: RichDocument): RichDocument {
  const blocks = apiBlocks(document);
  const texts = markdownOfBlocks(blocks);
  const written = new Map(blocks.map((block, place) => [block, texts[place]]));
  return blocks.length === 0 ? document : withParsedBlocks(document, (block) => written.get(block));
}
