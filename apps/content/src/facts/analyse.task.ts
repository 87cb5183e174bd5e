import type { RichDocument } from '@scriptorium/rich-text/reading';
import { analyseDocument, type DocumentFacts } from './analyse-document.js';
import { seeDocument, withoutExpressions, type Seen } from './see-document.js';

/** Derives what is known of documents from their texts. Runs in a worker where there are many, as parsing them takes long. */
export function analyseTexts(texts: readonly string[]): DocumentFacts[] {
  return texts.map((text) => analyseDocument(JSON.parse(text) as RichDocument));
}

/** The same of documents as somebody sees them, each with its own variables. What expressions become is no text of the document. */
export function analyseSeen(documents: readonly { text: string; seen: Seen }[]): DocumentFacts[] {
  return documents.map(({ text, seen }) =>
    analyseDocument(seeDocument(withoutExpressions(JSON.parse(text) as RichDocument), seen)),
  );
}
