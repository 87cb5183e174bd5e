import type { ClusterLabel, LabelledIssue } from '../clusters/label.js';
import type { ConversationText, ExtractedIssue } from '../issues/issues-of.js';
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

/** An issue as an analyzer tells it; terms and language are made of it afterwards, by whatever analyzer. */
export type AnalyzedIssue = Pick<ExtractedIssue, 'title' | 'summary'>;

/** Finds issues in conversations, and names clusters. What it answers is recorded; a rebuild never asks again. */
export interface Analyzer {
  readonly name: 'extractive' | 'chat';
  /** At most 3 issues. */
  issuesOf(conversation: ConversationText, signal?: AbortSignal): Promise<readonly AnalyzedIssue[]>;
  labelOf(centroid: Vector, issues: readonly LabelledIssue[], signal?: AbortSignal): Promise<ClusterLabel>;
}
