import type * as z from 'zod';
import { exceedsBytes, tooManyBytes } from '../bytes.js';
import { RichDocumentInput } from '../rich-document.js';
import { contentBounds } from './bounds.js';

/** Where a document stands in its field, its text in that form, and how many bytes it may have. */
interface Given {
  path: string[];
  text: string;
  most: number;
}

function formOf(given: RichDocumentInput): Given {
  if ('object' in given) return { path: [], text: JSON.stringify(given), most: contentBounds.documentBytes };
  if ('markdown' in given) return { path: ['markdown'], text: given.markdown, most: contentBounds.markdownBytes };
  return { path: ['document'], text: JSON.stringify(given.document), most: contentBounds.documentBytes };
}

function refuseLarge(given: RichDocumentInput, context: z.RefinementCtx): void {
  const { path, text, most } = formOf(given);
  if (exceedsBytes(text, most)) context.addIssue({ code: 'custom', path, ...tooManyBytes(most) });
}

/** The document of a page or a reusable content in a request. */
export const ContentDocument = RichDocumentInput.superRefine(refuseLarge).meta({
  description:
    'Markdown of at most 512 KiB, or a document of at most 2 MiB of JSON, in the field `document` or without it.',
});
