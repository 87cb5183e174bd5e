import { createCentroids, weightsOf } from '@scriptorium/clustering';
import { presentClusters } from '../clusters/index.js';
import type { Analysing } from './analysing.process.js';
import { dropCentroids, findCentroidFacts, storeCentroids } from './centroids.operational.js';
import { addIssues, livingOf, mostIssues } from './load-centroids.process.js';

/** Issues that one step reads to make centroids again, and centroids that are left to the step which needs them. */
const [issuesInStep, mostLeft] = [4_000, 100];

/**
 * Makes some of the missing centroids of an organization again and stores them, and deletes those that do not count any
 * more. Resolves to whether all are there.
 */
export async function prepareCentroids({ context, cache, store, organization, table }: Analysing): Promise<boolean> {
  const state = await presentClusters(store, organization);
  if (cache.knows(organization, state, table)) return true;
  const living = livingOf(state);
  const facts = await findCentroidFacts(context, organization);
  const isValid = ({ cluster, at, table: of }: (typeof facts)[number]): boolean =>
    of === table.version && at >= (living.get(cluster)?.changedAt ?? Infinity);
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
  const centroids = createCentroids('terms');
  await addIssues({ database: context.database, store }, { centroids, weights: weightsOf(table) }, some);
  const ids = new Map(some.map(({ number, id }) => [number, id]));
  const stored = centroids.stored().map((centroid) => ({ id: ids.get(centroid.cluster) ?? '', centroid }));
  await storeCentroids(context, organization, { stored, at: state.changes, table: table.version });
  return false;
}
