import {
  createCentroids,
  languageOf,
  maskPersonal,
  termsOf,
  type Centroids,
  type EmbedText,
} from '@scriptorium/clustering';
import { AppError } from '@scriptorium/contracts';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { clusterDocuments, descriptionsOf, issues, type Clusters, type LivingCluster } from '../clusters/index.js';
import { findCentroids } from './centroids.operational.js';
import { issueText, readIssues } from './issue-texts.process.js';
import type { Reading } from './reading.process.js';
import { embed, vectorsOf } from './vectors.process.js';
import { defaultLanguage } from './read-conversations.process.js';

/** The centroids of an organization as they are at one state of its clusters. */
export interface KnownCentroids {
  centroids: Centroids;
  /** That of the vectors that they are made of. */
  version: string;
  /** The change of the clusters up to which they count. */
  at: number;
  state: Clusters;
  /** Clusters whose centroids are not stored as they are here. */
  unstored: ReadonlySet<string>;
}

type Living = LivingCluster & { id: string };

/** As many of the newest issues make the centroid of a cluster again. */
export const mostIssues = 200;
/** Centroids that are made again by the step which needs them. */
const mostMissing = 200;
const pauseEvery = 50;
/** Clusters without issues that new issues may come to by their names. */
const mostNamed = 200;

/** Loads what is stored, and makes the others again from the newest issues of their clusters. */
export async function loadCentroids(reading: Reading, state: Clusters): Promise<KnownCentroids> {
  const { context, organization, embedder } = reading;
  const { kind, version } = embedder;
  const living = livingOf(state);
  const stored = await findCentroids(context, organization, version);
  const valid = stored.filter(({ at, centroid }) => at >= (living.get(centroid.cluster)?.changedAt ?? Infinity));
  const centroids = createCentroids(
    kind,
    valid.map(({ centroid }) => centroid).filter(({ size }) => size > 0),
  );
  const there = new Set(valid.map(({ centroid }) => centroid.cluster));
  const missing = [...living.values()].filter(({ number, size }) => size > 0 && !there.has(number));
  if (missing.length > mostMissing)
    throw new AppError('unavailable', [], { message: 'Clusters have changed, try again' });
  await addIssues(reading, centroids, missing);
  const empty = [...living.values()].filter(
    ({ number, size, byUser }) => size === 0 && byUser && !centroids.has(number),
  );
  await addNames(reading, centroids, empty.slice(0, mostNamed));
  return { centroids, version, at: state.changes, state, unstored: new Set(missing.map(({ id }) => id)) };
}

/** Adds up the newest issues of clusters. */
export async function addIssues(reading: Reading, centroids: Centroids, clusters: readonly Living[]): Promise<void> {
  const { context, store } = reading;
  for (const [index, { id, number }] of clusters.entries()) {
    const newest = await store
      .read(issues)
      .find({ cluster: id }, { sort: { createdAt: -1, _id: -1 }, limit: mostIssues })
      .toArray();
    const read = (await readIssues(context, newest)).map(({ doc, issue }) => ({ part: issueText(doc), issue }));
    for (const vector of await vectorsOf(reading, read)) centroids.add(number, vector);
    if (index % pauseEvery === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Adds what people wrote about clusters that have no issues, so that new issues of the kind come there. */
async function addNames(
  reading: Reading,
  centroids: Centroids,
  empty: readonly { id: string; number: number }[],
): Promise<void> {
  const docs = await reading.store.read(clusterDocuments).byIds(empty.map(({ id }) => id));
  const descriptions = await descriptionsOf(reading.context, docs);
  const texts = docs.map((_, index): EmbedText => {
    const { label = '', summary = '' } = descriptions[index] ?? {};
    const text = maskPersonal(`${label}\n${summary}`);
    return { text, terms: termsOf(text, languageOf(text, defaultLanguage)) };
  });
  for (const [index, vector] of (await embed(reading, texts)).entries()) {
    const number = docs[index]?.number;
    if (number !== undefined) centroids.add(number, vector);
  }
}

/** The living clusters by their numbers. */
export function livingOf(state: Clusters): Map<number, Living> {
  return new Map(keyedEntries(state.living).map(([id, cluster]) => [cluster.number, { id, ...cluster }]));
}
