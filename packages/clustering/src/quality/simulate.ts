import { clusterIssues } from '../clusters/cluster-issues.js';
import type { Centroids } from '../clusters/centroid.js';
import { createCentroids } from '../clusters/centroids.js';
import { applyChange, createLedger, type Ledger, type LedgerChange } from '../clusters/ledger.js';
import { gatherIssues, mergeClusters, type ClusterFacts } from '../clusters/regroup.js';
import { isGatherDue } from '../clusters/thresholds.js';
import { issuesOf, type ConversationText, type ExtractedIssue } from '../issues/issues-of.js';
import { countConversation, cutTable, isTableDue, startCounting, type TermCounting } from '../weights/counting.js';
import { seedTable } from '../weights/seed-table.js';
import { vectorOf, weightsOf, type Weights, type WeightTable } from '../weights/weights.js';

export interface Simulated {
  ledger: Ledger;
  centroids: Centroids;
  /** All changes in their order. Applied to an empty ledger they make an equal one. */
  changes: readonly LedgerChange[];
  issues: ReadonlyMap<string, ExtractedIssue>;
  weights: Weights;
  /** The cluster of each conversation's first issue; a number below 0 of its own where there is none. */
  clusters: readonly number[];
  /** The longest time that one conversation took, in ms. */
  slowestMs: number;
}

/** Issues after which clusters are merged and gathered. */
const issuesOfNight = 1_000;

interface State {
  readonly language: string;
  readonly ledger: Ledger;
  readonly centroids: Centroids;
  readonly changes: LedgerChange[];
  readonly issues: Map<string, ExtractedIssue>;
  readonly counting: TermCounting;
  /** The number of issues when a cluster got its newest one. */
  readonly grewAt: Map<number, number>;
  regroupedAt: number;
  table: WeightTable;
  weights: Weights;
}

/**
 * What happens to the conversations of an organization from the first one on, in memory: extraction, weight tables that
 * are cut when they are due, clusters, and merges and gathering after every 1,000 issues and once at the end, when
 * every small cluster has been quiet for long. For measurements.
 */
export function simulate(conversations: readonly ConversationText[], language: string): Simulated {
  const state = begin(language);
  let slowestMs = 0;
  for (const [index, conversation] of conversations.entries()) {
    const began = performance.now();
    ingest(state, idOf(index), conversation);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    if (state.issues.size - state.regroupedAt >= issuesOfNight) regroup(state, 0);
  }
  regroup(state, Number.POSITIVE_INFINITY);
  const { ledger, centroids, changes, issues, weights } = state;
  const clusters = conversations.map((_, index) => clusterOf(ledger, `${idOf(index)}-0`) ?? -1 - index);
  return { ledger, centroids, changes, issues, weights, clusters, slowestMs };
}

const idOf = (index: number): string => String(index).padStart(8, '0');

const clusterOf = (ledger: Ledger, issue: string): number | undefined =>
  ledger.conversations.get(ledger.issues.get(issue) ?? '')?.get(issue)?.cluster;

function begin(language: string): State {
  const table = seedTable();
  return {
    language,
    ledger: createLedger(),
    centroids: createCentroids('terms'),
    changes: [],
    issues: new Map(),
    counting: startCounting(table),
    grewAt: new Map(),
    regroupedAt: 0,
    table,
    weights: weightsOf(table),
  };
}

function ingest(state: State, conversation: string, text: ConversationText): void {
  const { language, weights, ledger, centroids, counting } = state;
  const found = issuesOf(text, { language, weights });
  const named = found.map((issue, index) => ({ ...issue, issue: `${conversation}-${index}` }));
  const place = { conversation, week: '2026-W01', source: 'api' };
  record(state, [{ type: 'extracted', issues: named.map(({ issue }) => ({ issue, ...place })) }]);
  for (const issue of named) state.issues.set(issue.issue, issue);
  const vectors = named.map(({ issue, terms }) => ({ issue, vector: vectorOf(terms, weights) }));
  record(state, clusterIssues(centroids, vectors, { next: ledger.next }));
  for (const { issue } of named) state.grewAt.set(clusterOf(ledger, issue) ?? 0, state.issues.size);
  const terms = found.map((issue) => issue.terms);
  countConversation(counting, terms);
  if (isTableDue(counting.conversations, state.table.conversations)) cutNextTable(state);
}

function cutNextTable(state: State): void {
  const before = state.weights;
  state.table = cutTable(state.counting, state.table.version + 1);
  const weights = weightsOf(state.table);
  state.weights = weights;
  state.centroids.reweigh((term, language) => weights.weightOf(term, language) / before.weightOf(term, language));
}

function regroup(state: State, daysSince: number): void {
  const { ledger, centroids, issues, grewAt, weights } = state;
  state.regroupedAt = issues.size;
  const sizeOf = (cluster: number): number => ledger.clusters.get(cluster)?.issues ?? 0;
  const facts: ClusterFacts = { sizeOf, isPinned: () => false };
  record(state, mergeClusters(centroids, 'terms', facts));
  const isDue = (cluster: number): boolean => {
    const issuesSince = issues.size - (grewAt.get(cluster) ?? 0);
    return isGatherDue({ size: sizeOf(cluster), isPinned: false, issuesSince, daysSince });
  };
  const small = [...issues].flatMap(([issue, { terms }]) => {
    const cluster = clusterOf(ledger, issue);
    return cluster !== undefined && isDue(cluster) ? [{ issue, cluster, vector: vectorOf(terms, weights) }] : [];
  });
  record(state, gatherIssues(centroids, small, facts));
}

function record({ ledger, changes }: State, made: readonly LedgerChange[]): void {
  for (const change of made) {
    applyChange(ledger, change);
    changes.push(change);
  }
}
