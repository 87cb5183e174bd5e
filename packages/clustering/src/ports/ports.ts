import type { Vector } from '../weights/vector.js';
import type { Terms } from '../words/terms-of.js';

/** A text to make a vector of: masked, with the terms that were made of it. */
export interface EmbedText {
  text: string;
  terms: Terms;
}

/** Makes vectors of texts. Adapters to servers stand in the service: this package has no network. */
export interface Embedder {
  /** Vectors of one version compare. Another model, or another weight table, is another version. */
  readonly version: string;
  readonly kind: Vector['kind'];
  /** One vector a text, in their order. */
  embed(texts: readonly EmbedText[], signal?: AbortSignal): Promise<readonly Vector[]>;
}
