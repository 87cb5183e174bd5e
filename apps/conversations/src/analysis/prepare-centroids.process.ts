import { createCentroids, type StoredCentroid, type Vector } from '@scriptorium/clustering';
import { presentClusters } from '../clusters/index.js';
import type { Analysing } from './analysing.process.js';
import { dropCentroids, findCentroidFacts, storeCentroids } from './centroids.operational.js';
import { addIssues, livingOf, mostIssues } from './load-centroids.process.js';

/**
 * Issues that one step reads to make centroids again, and centroids that are left to the step which needs them. A model
 * is asked for vectors, which takes longer.
 */
const bounds = { terms: { issuesInStep: 4_000, mostLeft: 100 }, dense: { issuesInStep: 128, mostLeft: 0 } } as const;

/**
 * Makes some of the missing centroids of an organization again and stores them, and deletes those that do not count any
 * more. Resolves to whether all are there.
 */
export async function prepareCentroids(analysing: Analysing): Promise<boolean> {
  const { context, cache, store, organization, embedder } = analysing;
  const { issuesInStep, mostLeft } = bounds[embedder.kind];
  const state = await presentClusters(store, organization);
  if (cache.knows(organization, state, embedder.version)) return true;
  const living = livingOf(state);
  const facts = await findCentroidFacts(context, organization);
  const isValid = ({ cluster, at, version }: (typeof facts)[number]): boolean =>
    version === embedder.version && at >= (living.get(cluster)?.changedAt ?? Infinity);
  await dropCentroids(
    context,
    organization,
    facts.filter((one) => !isValid(one)).map(({ id }) => id),
  );
  const there = new Set(facts.filter(isValid).map(({ cluster }) => cluster));
  const missing = [...living.values()].filter(({ number, size }) => size > 0 && !there.has(number));
  if (missing.length <= mostLeft) return true;
  let room = issuesInStep;
  const some = missing.filter(({ size }) => {
    const hasRoom = room > 0;
    room -= Math.min(size, mostIssues);
    return hasRoom;
  });
  const centroids = createCentroids(embedder.kind);
  await addIssues(analysing, centroids, some);
  const made = new Map(centroids.stored().map((centroid) => [centroid.cluster, centroid]));
  // A cluster of which no issue can be read gets an empty one: it would be missing in every step otherwise.
  const stored = some.map(({ number, id }) => ({
    id,
    centroid: made.get(number) ?? emptyCentroid(embedder.kind, number),
  }));
  await storeCentroids(context, organization, { stored, at: state.changes, version: embedder.version });
  return false;
}

function emptyCentroid(kind: Vector['kind'], cluster: number): StoredCentroid {
  const sum: StoredCentroid['sum'] =
    kind === 'terms' ? { kind, language: '', terms: [] } : { kind, values: new Float32Array() };
  return { cluster, size: 0, sum };
}
