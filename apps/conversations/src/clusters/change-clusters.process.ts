import { AppError } from '@scriptorium/contracts';
import type { Done, StoreScope } from '@scriptorium/event-sourcing';
import { requireLive, requireVisible, type Scope } from '@scriptorium/platform';
import { confirmTexts, dropTexts, markPending } from '../texts/index.js';
import { clusterDocuments } from './cluster.projection.js';
import { clusterEvents, type ClusterEvent } from './cluster.events.js';
import { clusters, OutdatedClusters, recordOn, type Clusters } from './clusters.js';
import { describedBy, endedDescriptions } from './descriptions.process.js';
import { issues } from './issue.projection.js';

/** What changes of clusters work with. */
export type ClusterScope = Pick<Scope, 'store' | 'database' | 'now'>;

/** Attempts, if others change the clusters at the same moment. */
const attempts = 20;

/**
 * Changes the clusters of an organization. `decide` gets their state, with read models that show exactly that, and
 * returns what to record; when somebody else was faster, it is asked again. Descriptions that end with these events are
 * deleted.
 * @throws AppError `unavailable` while the read models do not show the state, `conflict` when others are always faster
 */
export async function changeClusters(
  scope: ClusterScope,
  organization: string,
  step: string,
  decide: (state: Clusters) => Promise<readonly ClusterEvent[]>,
): Promise<Done<Clusters, ClusterEvent>> {
  const { store } = scope;
  const inside = store.in(organization);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const seen = await presentClusters(store, organization);
    const events = await decide(seen);
    const ended = store.dry ? [] : await endedDescriptions(scope, organization, events);
    await markPending(scope, ended);
    try {
      const done = await inside
        .step(step)
        .handle(clusters, organization, (state) => recordOn(state, seen, events), { wait: false });
      if (store.dry) return done;
      await confirmTexts(scope, describedBy(organization, done.events));
      // Those of a repetition were found in a later state than that of its events, so they are looked up instead.
      if (!done.repeated && done.events.length > 0)
        await dropTexts(
          scope,
          ended.map(({ place }) => place),
        );
      return done;
    } catch (error) {
      if (!(error instanceof OutdatedClusters)) throw error;
    }
  }
  throw new AppError('conflict', [], { retryAfter: 1 });
}

/** The present state of the clusters, when the read models show exactly that. @throws AppError `unavailable` */
export async function presentClusters(store: StoreScope, organization: string): Promise<Clusters> {
  const inside = store.in(organization).keyed(undefined);
  const { state, position } = await inside.handle(clusters, organization, () => [], { wait: false });
  if (position >= 0n && !store.dry) await requireVisible(store, { position, types: clusterEvents.types });
  requireLive(store, [clusterDocuments, issues]);
  return state;
}

/** Waits until lists show what this work has recorded. */
export async function showRecorded(store: StoreScope): Promise<void> {
  const recorded = store.recorded();
  if (recorded !== undefined) await store.shown(recorded);
}
