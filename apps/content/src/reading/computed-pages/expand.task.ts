import { contentBounds } from '@scriptorium/contracts';
import { UnreadableSpecification } from '@scriptorium/openapi';
import { RichTextError } from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';
import { UnreadableSource, type ComputedPage, type SourceInput } from './computed-page.js';
import { openAPIPages, type DraftPage } from './openapi-pages.js';

/** The sources that are a part of the product, by their types. */
const builtIn: Readonly<Record<string, (source: SourceInput) => DraftPage[]>> = {
  'builtin:openapi': openAPIPages,
};

/** Whether pages can be made from a source. */
export function isKnownSource(type: string): boolean {
  return Object.hasOwn(builtIn, type);
}

/** JSON levels of a document. */
const deepest = 2_000;

/** The pages of a source; `null` when it cannot be read, or makes too much. Pure, so that it can run in a worker. */
export function expandSource(source: SourceInput): ComputedPage[] | null {
  try {
    const drafts = builtIn[source.type]?.(source) ?? [];
    if (drafts.length > contentBounds.computedPages) return null;
    let bytes = 0;
    const pages: ComputedPage[] = [];
    for (const { document, ...page } of drafts) {
      const text = canonical(document, deepest);
      const size = Buffer.byteLength(text);
      bytes += size;
      if (size > contentBounds.documentBytes || bytes > contentBounds.computedBytes) return null;
      pages.push({ ...page, document: { name: nameOfText(text), text } });
    }
    return pages;
  } catch (error) {
    if (isOfTheSource(error)) return null;
    throw error;
  }
}

/** A text that nests too deeply exhausts the stack of the parser. */
function isOfTheSource(error: unknown): boolean {
  return [UnreadableSource, UnreadableSpecification, RangeError, RichTextError].some((kind) => error instanceof kind);
}
