export {
  issuesOf,
  mostIssues,
  type ConversationText,
  type ExtractedIssue,
  type ExtractOptions,
} from './issues/issues-of.js';
export { longestSummary, longestTitle, summaryOf, titleOf } from './issues/title.js';
export { maskPersonal, withoutMarks } from './masking/mask-personal.js';
export { languageOf } from './words/language.js';
export { mostTerms, termsOf, type Terms } from './words/terms-of.js';

export { countConversation, cutTable, isTableDue, startCounting, type TermCounting } from './weights/counting.js';
export { seedTable } from './weights/seed-table.js';
export { cosine, sharedTerms, type DenseVector, type TermVector, type Vector } from './weights/vector.js';
export { vectorOf, weightsOf, type Weights, type WeightTable } from './weights/weights.js';

export type { Centroids, Nearest, SimilarPair, StoredCentroid } from './clusters/centroid.js';
export { createCentroids } from './clusters/centroids.js';
export type { ClusterChange, ClusteredIssue } from './clusters/changes.js';
export { clusterIssues, type ClusterOptions, type NewIssue } from './clusters/cluster-issues.js';
export {
  addCounts,
  countChanges,
  countsAfter,
  noCounts,
  sourceTypeOf,
  type ClusterCounts,
  type IssuePlace,
} from './clusters/counts.js';
export type { SmallClusterIssue } from './clusters/gather.js';
export {
  clusterIcon,
  isRelabelDue,
  labelOf,
  longestLabel,
  type ClusterLabel,
  type LabelledIssue,
} from './clusters/label.js';
export { applyChange, createLedger, type Ledger, type LedgerChange } from './clusters/ledger.js';
export { mergesOf, type Merge } from './clusters/merges.js';
export { weeklyPulseOf, weekOf, type Weeks } from './clusters/pulse.js';
export { gatherIssues, mergeClusters, type ClusterFacts } from './clusters/regroup.js';
export { isGatherDue, mostClusters, thresholdsOf, type Thresholds } from './clusters/thresholds.js';

export {
  issuesOfAnswer,
  labelOfAnswer,
  sentToModel,
  UnusableAnswer,
  vectorsOfAnswer,
  withTerms,
  type AnalyzedIssue,
  type SentConversation,
} from './ports/answers.js';
export { termsEmbedder } from './ports/defaults.js';
export type { Embedder, EmbedText } from './ports/ports.js';
