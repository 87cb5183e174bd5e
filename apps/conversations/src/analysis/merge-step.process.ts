import { mergesOf, thresholdsOf, type SimilarPair } from '@scriptorium/clustering';
import { changeClusters, clusterDocuments, mergeEvent, presentClusters, type ClusterEvent } from '../clusters/index.js';
import type { Analysing } from './analysing.process.js';
import type { KnownCentroids } from './load-centroids.process.js';
import { factsOf, type LivingFacts } from './cluster-facts.js';
import { touchedBy } from './extract-step.process.js';

/** Clusters that one step compares with all others, and pairs that are remembered. */
const [comparedInStep, mostPairs] = [250, 2_000];
/** Clusters that are compared before other requests are answered: all numbers of a model's vectors count. */
const comparedAtOnce = { terms: 25, dense: 4 } as const;
/** Merges of one step. */
const mergesInStep = 50;

/** How far the comparison of clusters has come. */
export interface Comparison {
  /** The number of the last cluster that was compared. */
  after: number;
  /** The most similar pairs so far. */
  pairs: SimilarPair[];
  isDone: boolean;
}

/** A merge that is to be recorded: numbers of clusters. */
export interface PlannedMerge {
  into: number;
  from: number;
}

/** Compares the next clusters with all others. */
export async function compareStep(
  analysing: Analysing,
  before: Pick<Comparison, 'after' | 'pairs'>,
): Promise<Comparison> {
  const { cache, store, organization, embedder } = analysing;
  const atOnce = comparedAtOnce[embedder.kind];
  const state = await presentClusters(store, organization);
  const known = await cache.take(analysing, state);
  const numbers = known.centroids.numbers().filter((number) => number > before.after);
  const compared = numbers.slice(0, comparedInStep);
  const pairs = [...before.pairs];
  for (let start = 0; start < compared.length; start += atOnce) {
    const some = compared.slice(start, start + atOnce);
    pairs.push(...known.centroids.similarPairs(thresholdsOf(embedder.kind).merge, some));
    // Other requests are answered in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  cache.keep(organization, known, { state, touched: [] });
  return {
    after: compared.at(-1) ?? before.after,
    pairs: pairs.sort((a, b) => b.similarity - a.similarity).slice(0, mostPairs),
    isDone: compared.length === numbers.length,
  };
}

/** Decides which of the similar clusters are merged. */
export async function planMerges(
  { store, organization }: Analysing,
  pairs: readonly SimilarPair[],
): Promise<PlannedMerge[]> {
  const facts = factsOf(await presentClusters(store, organization));
  return mergesOf(pairs, (cluster) => facts.isPinned(cluster)).map(({ into, from }) => ({ into, from }));
}

/** Records the next of the planned merges. Resolves to those that are left. */
export async function mergeStep(analysing: Analysing, planned: readonly PlannedMerge[]): Promise<PlannedMerge[]> {
  const { context, cache, store, organization } = analysing;
  let known: KnownCentroids | undefined;
  const done = await changeClusters(context.scope(store), organization, 'merge', async (state) => {
    known = await cache.take(analysing, state);
    return merge(analysing, known, { facts: factsOf(state), merges: planned.slice(0, mergesInStep) });
  });
  if (known !== undefined && !done.repeated)
    cache.keep(organization, known, { state: done.state, touched: touchedBy(done.events) });
  return planned.slice(mergesInStep);
}

/** The events of those merges that are still possible: people may have changed the clusters since they were planned. */
async function merge(
  { store }: Analysing,
  { centroids }: KnownCentroids,
  { facts, merges }: { facts: LivingFacts; merges: readonly PlannedMerge[] },
): Promise<ClusterEvent[]> {
  const events: ClusterEvent[] = [];
  for (const { into: intoNumber, from: fromNumber } of merges) {
    if (facts.isPinned(fromNumber)) continue;
    const docs = await store.read(clusterDocuments).byIds([facts.idOf(fromNumber), facts.idOf(intoNumber)]);
    const [from, into] = [fromNumber, intoNumber].map((number) => docs.find(({ _id }) => _id === facts.idOf(number)));
    if (from === undefined || into === undefined) continue;
    centroids.unite(intoNumber, fromNumber);
    events.push(await mergeEvent(store, { from, into }, 'analysis'));
  }
  return events;
}
