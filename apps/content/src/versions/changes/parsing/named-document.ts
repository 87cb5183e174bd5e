import type { RichDocument } from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';

/** A document as an object of content: its text, and the name that it has by that. */
export interface NamedDocument {
  name: string;
  text: string;
}

/** JSON levels of a document. */
const deepest = 2_000;

/** Making the text takes long for large documents: a tenth of a second for 2 MiB. */
export function namedDocument(document: RichDocument): NamedDocument {
  const text = canonical(document, deepest);
  return { name: nameOfText(text), text };
}
