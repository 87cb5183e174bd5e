import type { RichDocument } from '@scriptorium/rich-text/reading';
import { analyseDocument, type DocumentAnalysis } from './analyse-document.js';
import { seeDocument, withoutExpressions, type Seen, type SeenWith } from './see-document.js';

/**
 * Derives what is known of documents from their texts. Runs in a worker where there are many, as parsing them takes
 * long.
 */
export function analyseTexts(texts: readonly string[]): DocumentAnalysis[] {
  return texts.map((text) => analyseDocument(JSON.parse(text) as RichDocument));
}

/** A document as somebody sees it, as JSON. */
export function seeText({ text, seen, mode }: { text: string } & SeenWith): string {
  return JSON.stringify(seeDocument(JSON.parse(text) as RichDocument, seen, mode));
}

/**
 * The same of documents as somebody sees them, each with its own variables. What expressions become is no text of the
 * document.
 */
export function analyseSeen(documents: readonly { text: string; seen: Seen }[]): DocumentAnalysis[] {
  return documents.map(({ text, seen }) =>
    analyseDocument(seeDocument(withoutExpressions(JSON.parse(text) as RichDocument), seen)),
  );
}
