import {
  clusterIssues,
  labelOf,
  mostClusters,
  sourceTypeOf,
  vectorOf,
  weekOf,
  type ClusterChange,
  type ClusteredIssue,
  type ExtractedIssue,
  type Vector,
  type Weights,
} from '@scriptorium/clustering';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { derivedId } from '@scriptorium/platform';
import { byConversation, changedCounts, type ClusterEvent, type Clusters, type Place } from '../clusters/index.js';
import type { KnownCentroids } from './load-centroids.process.js';
import type { Extracted } from './extract.process.js';
import { partOfIssue } from './issue-texts.process.js';

/** An issue that is about to be recorded. */
export interface NewIssue {
  id: string;
  part: string;
  of: Extracted;
  issue: ExtractedIssue;
  /** By which it is compared. */
  vector: Vector;
}

type Recorded = Extract<ClusterEvent, { type: 'IssuesExtracted' }>['data']['issues'][number];

/** Conversations of one event; they have at most 3 issues each. */
const conversationsOfEvent = 60;

/** The issues of conversations with their ids, in the order in which they are clustered. */
export function newIssues(extracted: readonly Extracted[]): Omit<NewIssue, 'vector'>[] {
  return extracted.flatMap((of) =>
    of.issues.map((issue, index) => {
      const part = partOfIssue(index);
      return { id: derivedId(of.conversation._id, of.conversation.text, part), part, of, issue };
    }),
  );
}

/** Gives issues to clusters, in the centroids too, and tells what is to be recorded. */
export async function assignIssues(
  state: Clusters,
  known: KnownCentroids,
  {
    organization,
    extracted,
    found,
    weights,
  }: { organization: string; extracted: readonly Extracted[]; found: readonly NewIssue[]; weights: Weights },
): Promise<{ events: ClusterEvent[]; described: Described[] }> {
  const names = new Map(keyedEntries(state.living).map(([id, { number }]) => [number, id]));
  const placed = new Map<string, ClusteredIssue>();
  // Clusters without issues have no centroid, and count as well.
  const allowed = mostClusters - (names.size - known.centroids.size);
  const created: { cluster: string; number: number; first: NewIssue }[] = [];
  let { next } = state;
  for (const one of found) {
    const { id: issue, vector } = one;
    for (const change of clusterIssues(known.centroids, [{ issue, vector }], { next, mostClusters: allowed })) {
      if (change.type === 'created') {
        const cluster = derivedId(organization, 'cluster', String(change.cluster));
        names.set(change.cluster, cluster);
        created.push({ cluster, number: change.cluster, first: one });
        next = change.cluster + 1;
      }
      for (const clustered of clusteredIn(change)) placed.set(clustered.issue, clustered);
    }
    // Other requests are answered in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const recorded = found.map((one) => recordOf(one, { placed: placed.get(one.id), names, vectors: known.version }));
  return {
    events: [
      ...created.map(({ cluster, number }): ClusterEvent => ({ type: 'ClusterCreated', data: { cluster, number } })),
      ...extractions(extracted, recorded),
    ],
    described: created
      .map(({ cluster, first }) => describeFirst(cluster, first, weights))
      .filter(({ description }) => description.label !== ''),
  };
}

function clusteredIn(change: ClusterChange): readonly ClusteredIssue[] {
  return change.type === 'clustered' ? change.issues : [];
}

function recordOf(
  { id: issue, part, of: { conversation, issues, analyzer } }: NewIssue,
  {
    placed,
    names,
    vectors,
  }: { placed: ClusteredIssue | undefined; names: ReadonlyMap<number, string>; vectors: string },
): Recorded {
  const { _id, text, createdAt, ingestedAt, source } = conversation;
  return {
    issue,
    conversation: _id,
    of: issues.length,
    text,
    part,
    cluster: placed === undefined ? null : (names.get(placed.cluster) ?? null),
    similarity: placed?.similarity ?? 0,
    createdAt,
    ingestedAt,
    week: weekOf(new Date(createdAt)),
    source: sourceTypeOf(source),
    analyzer,
    vectors,
  };
}

/** Events of at most 60 conversations each. All issues of a conversation are in one of them. */
function extractions(extracted: readonly Extracted[], recorded: readonly Recorded[]): ClusterEvent[] {
  const events: ClusterEvent[] = [];
  for (let start = 0; start < extracted.length; start += conversationsOfEvent) {
    const some = extracted.slice(start, start + conversationsOfEvent);
    const ids = new Set(some.map(({ conversation }) => conversation._id));
    const issues = recorded.filter(({ conversation }) => ids.has(conversation));
    const places = issues.map((one): Place => ({ ...one }));
    const analysed = some.map(({ conversation: { _id: conversation, text }, issues: all, failed }) => ({
      conversation,
      text,
      issues: all.length,
      failed,
    }));
    const counts = changedCounts(new Map(), byConversation(places));
    events.push({ type: 'IssuesExtracted', data: { issues, analysed, counts } });
  }
  return events;
}

/** The first description of a cluster, and the issues that it was made from. */
export interface Described {
  cluster: string;
  description: { label: string; summary: string; icon: string; of: string[] };
  size: number;
  analyzer: 'extractive' | 'chat';
}

function describeFirst(cluster: string, { id, issue }: NewIssue, weights: Weights): Described {
  const vector = vectorOf(issue.terms, weights);
  return {
    cluster,
    description: { ...labelOf(vector, [{ ...issue, vector }]), of: [id] },
    size: 1,
    analyzer: 'extractive',
  };
}
