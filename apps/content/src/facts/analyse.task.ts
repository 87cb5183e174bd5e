import type { RichDocument } from '@scriptorium/rich-text';
import { analyseDocument, type DocumentFacts } from './analyse-document.js';

/** Derives what is known of documents from their texts. Runs in a worker where there are many, as parsing them takes long. */
export function analyseTexts(texts: readonly string[]): DocumentFacts[] {
  return texts.map((text) => analyseDocument(JSON.parse(text) as RichDocument));
}
