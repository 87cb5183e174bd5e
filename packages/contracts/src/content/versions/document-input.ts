import * as z from 'zod';
import { exceedsBytes, tooManyBytes } from '../../kernel/bytes.js';
import { Markdown } from '../../kernel/rich-document.js';
import { contentBounds } from '../bounds.js';

/** A document as JSON. The service reads what is in it, so that all that is wrong there is refused in the same way. */
const GivenDocument = z.looseObject({ object: z.literal('document') });
const DocumentInput = z.union([Markdown, z.object({ document: GivenDocument }), GivenDocument]);
export type ContentDocument = z.output<typeof DocumentInput>;

/** Where a document stands in its field, its text in that form, and how many bytes it may have. */
interface Given {
  path: string[];
  text: string;
  most: number;
}

function formOf(given: ContentDocument): Given {
  if ('object' in given) return { path: [], text: JSON.stringify(given), most: contentBounds.documentBytes };
  if ('markdown' in given)
    return { path: ['markdown'], text: String(given.markdown), most: contentBounds.markdownBytes };
  return { path: ['document'], text: JSON.stringify(given.document), most: contentBounds.documentBytes };
}

function refuseLarge(given: ContentDocument, context: z.RefinementCtx): void {
  const { path, text, most } = formOf(given);
  if (exceedsBytes(text, most)) context.addIssue({ code: 'custom', path, ...tooManyBytes(most) });
}

/** The document of a page or a reusable content in a request. */
export const ContentDocument = DocumentInput.superRefine(refuseLarge).meta({
  description:
    'Markdown of at most 512 KiB, or a document of at most 2 MiB of JSON, in the field `document` or without it.',
});
