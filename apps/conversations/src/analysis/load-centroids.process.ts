import {
  createCentroids,
  languageOf,
  termsOf,
  vectorOf,
  weightsOf,
  type Centroids,
  type Terms,
  type WeightTable,
  type Weights,
} from '@scriptorium/clustering';
import { AppError } from '@scriptorium/contracts';
import { keyedEntries, type StoreScope } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { clusterDocuments, descriptionsOf, issues, type Clusters, type LivingCluster } from '../clusters/index.js';
import { findCentroids } from './centroids.operational.js';
import { readIssues } from './issue-texts.process.js';

/** The centroids of an organization as they are at one state of its clusters. */
export interface KnownCentroids {
  centroids: Centroids;
  weights: Weights;
  table: WeightTable;
  /** The change of the clusters up to which they count. */
  at: number;
  state: Clusters;
  /** Clusters whose centroids are not stored as they are here. */
  unstored: ReadonlySet<string>;
}

export type Reading = Pick<Scope, 'database'> & { store: Pick<StoreScope, 'read'> };
type Living = LivingCluster & { id: string };

/** As many of the newest issues make the centroid of a cluster again. */
export const mostIssues = 200;
/** Centroids that are made again by the step which needs them. */
const mostMissing = 200;
const pauseEvery = 50;
/** The language of names that are too short to tell theirs. */
const language = 'en';

/** Loads what is stored, and makes the others again from the newest issues of their clusters. */
export async function loadCentroids(
  scope: Reading,
  organization: string,
  state: Clusters,
  table: WeightTable,
): Promise<KnownCentroids> {
  const weights = weightsOf(table);
  const living = livingOf(state);
  const stored = await findCentroids(scope, organization, table.version);
  const valid = stored.filter(({ at, centroid }) => at >= (living.get(centroid.cluster)?.changedAt ?? Infinity));
  const centroids = createCentroids(
    'terms',
    valid.map(({ centroid }) => centroid),
  );
  const missing = [...living.values()].filter(({ number, size }) => size > 0 && !centroids.has(number));
  if (missing.length > mostMissing)
    throw new AppError('unavailable', [], { message: 'Clusters have changed, try again' });
  await addIssues(scope, { centroids, weights }, missing);
  const empty = [...living.values()].filter(
    ({ number, size, byUser }) => size === 0 && byUser && !centroids.has(number),
  );
  for (const { number, terms } of await namedTerms(scope, empty)) centroids.add(number, vectorOf(terms, weights));
  return { centroids, weights, table, at: state.changes, state, unstored: new Set(missing.map(({ id }) => id)) };
}

/** Adds up the newest issues of clusters. */
export async function addIssues(
  scope: Reading,
  { centroids, weights }: Pick<KnownCentroids, 'centroids' | 'weights'>,
  clusters: readonly Living[],
): Promise<void> {
  for (const [index, { id, number }] of clusters.entries()) {
    const newest = await scope.store
      .read(issues)
      .find({ cluster: id }, { sort: { createdAt: -1, _id: -1 }, limit: mostIssues })
      .toArray();
    for (const { issue } of await readIssues(scope, newest)) centroids.add(number, vectorOf(issue.terms, weights));
    if (index % pauseEvery === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The terms of what people wrote about clusters that have no issues, so that new issues of the kind come there. */
async function namedTerms(
  scope: Reading,
  empty: readonly { id: string; number: number }[],
): Promise<{ number: number; terms: Terms }[]> {
  const docs = await scope.store.read(clusterDocuments).byIds(empty.map(({ id }) => id));
  const descriptions = await descriptionsOf(scope, docs);
  return docs.map(({ number }, index) => {
    const { label = '', summary = '' } = descriptions[index] ?? {};
    const text = `${label}\n${summary}`;
    return { number, terms: termsOf(text, languageOf(text, language)) };
  });
}

/** The living clusters by their numbers. */
export function livingOf(state: Clusters): Map<number, Living> {
  return new Map(keyedEntries(state.living).map(([id, cluster]) => [cluster.number, { id, ...cluster }]));
}
