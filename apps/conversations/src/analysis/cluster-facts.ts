import type { ClusterFacts } from '@scriptorium/clustering';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { staysEmpty, type Clusters, type LivingCluster } from '../clusters/index.js';

/** What is known of the living clusters of an organization, by their numbers. */
export interface LivingFacts extends ClusterFacts {
  idOf(cluster: number): string;
  staysEmpty(cluster: number): boolean;
  living: ReadonlyMap<number, LivingCluster & { id: string }>;
}

export function factsOf(state: Clusters): LivingFacts {
  const living = new Map(keyedEntries(state.living).map(([id, one]) => [one.number, { id, ...one }]));
  return {
    living,
    sizeOf: (cluster) => living.get(cluster)?.size ?? 0,
    isPinned: (cluster) => living.get(cluster)?.pinned === true || living.get(cluster)?.byUser === true,
    staysEmpty(cluster) {
      const known = living.get(cluster);
      return known !== undefined && staysEmpty(known);
    },
    idOf: (cluster) => living.get(cluster)?.id ?? '',
  };
}
