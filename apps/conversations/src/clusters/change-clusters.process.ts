import { AppError } from '@scriptorium/contracts';
import type { Done, StoreScope } from '@scriptorium/event-sourcing';
import { requireLive, requireVisible } from '@scriptorium/platform';
import { clusterDocuments } from './cluster.projection.js';
import { clusterEvents, type ClusterEvent } from './cluster.events.js';
import { clusters, OutdatedClusters, recordOn, type Clusters } from './clusters.js';
import { issues } from './issue.projection.js';

/** Attempts, if others change the clusters at the same moment. */
const attempts = 20;

/**
 * Changes the clusters of an organization. `decide` gets their state, with read models that show exactly that, and
 * tells what to record; when somebody else was faster, it is asked again.
 * @throws AppError `unavailable` while the read models do not show the state, `conflict` when others are always faster
 */
export async function changeClusters(
  store: StoreScope,
  organization: string,
  step: string,
  decide: (state: Clusters) => Promise<readonly ClusterEvent[]>,
): Promise<Done<Clusters, ClusterEvent>> {
  const inside = store.in(organization);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const seen = await inside.keyed(undefined).handle(clusters, organization, () => [], { wait: false });
    if (seen.position >= 0n && !store.dry)
      await requireVisible(store, { position: seen.position, types: clusterEvents.types });
    requireLive(store, [clusterDocuments, issues]);
    const events = await decide(seen.state);
    try {
      return await inside
        .step(step)
        .handle(clusters, organization, (state) => recordOn(state, seen.state, events), { wait: false });
    } catch (error) {
      if (!(error instanceof OutdatedClusters)) throw error;
    }
  }
  throw new AppError('conflict', [], { retryAfter: 1 });
}

/** Waits until lists show what this work has recorded. */
export async function showRecorded(store: StoreScope): Promise<void> {
  const recorded = store.recorded();
  if (recorded !== undefined) await store.shown(recorded);
}
