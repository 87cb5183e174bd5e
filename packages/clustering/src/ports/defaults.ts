import { labelOf } from '../clusters/label.js';
import { issuesOf, type ExtractOptions } from '../issues/issues-of.js';
import { vectorOf, type Weights } from '../weights/weights.js';
import type { Analyzer, Embedder } from './ports.js';

/** The embedder that needs no model: weighted terms. */
export function termsEmbedder(weights: Weights): Embedder {
  return {
    version: `terms-${weights.version}`,
    kind: 'terms',
    embed: (texts) => Promise.resolve(texts.map(({ terms }) => vectorOf(terms, weights))),
  };
}

/** The analyzer that needs no model: sentences of the conversation itself. */
export function extractiveAnalyzer(options: ExtractOptions): Analyzer {
  return {
    name: 'extractive',
    issuesOf: (conversation) => Promise.resolve(issuesOf(conversation, options)),
    labelOf: (centroid, issues) => Promise.resolve(labelOf(centroid, issues)),
  };
}
