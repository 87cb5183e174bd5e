import { vectorOf, type Weights } from '../weights/weights.js';
import type { Embedder } from './ports.js';

/** The embedder that needs no model: weighted terms. */
export function termsEmbedder(weights: Weights): Embedder {
  return {
    version: `terms-${weights.version}`,
    kind: 'terms',
    embed: (texts) => Promise.resolve(texts.map(({ terms }) => vectorOf(terms, weights))),
  };
}
