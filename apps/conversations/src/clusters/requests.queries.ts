import type { StoreScope, Stored } from '@scriptorium/event-sourcing';
import { clusterDocuments, type ClusterDocument } from './cluster.projection.js';
import { clusterRequests } from './cluster-request.projection.js';
import { issues } from './issue.projection.js';

/** What was done about a cluster. */
export interface ClusterWork {
  changeRequests: { open: number; merged: number };
  /** When a change request for it was merged last, and how many issues came since. */
  resolvedAt?: string;
  sinceResolved?: number;
}

type Reading = Pick<StoreScope, 'read'>;

/** The living clusters with the ids of those that were merged into them. */
export async function idsOf(
  store: Reading,
  docs: readonly Stored<ClusterDocument>[],
): Promise<Map<string, readonly string[]>> {
  const living = docs.map(({ _id }) => _id);
  const merged = await store
    .read(clusterDocuments)
    .find({ mergedInto: { $in: living } })
    .toArray();
  return new Map(
    living.map((id) => [id, [id, ...merged.filter(({ mergedInto }) => mergedInto === id).map(({ _id }) => _id)]]),
  );
}

/** What was done about clusters, in their order. Change requests of those that were merged into them count. */
export async function workOn(store: Reading, docs: readonly Stored<ClusterDocument>[]): Promise<ClusterWork[]> {
  const ids = await idsOf(store, docs);
  const all = [...ids.values()].flat();
  const requests = await store
    .read(clusterRequests)
    .find({ cluster: { $in: all } })
    .toArray();
  return Promise.all(
    docs.map(async ({ _id }) => {
      const own = requests.filter(({ cluster }) => ids.get(_id)?.includes(cluster) === true);
      const merged = own.flatMap(({ mergedAt }) => mergedAt ?? []).sort();
      const changeRequests = { open: own.filter(({ status }) => status === 'open').length, merged: merged.length };
      const resolvedAt = merged.at(-1);
      if (resolvedAt === undefined) return { changeRequests };
      const sinceResolved = await store.read(issues).count({ cluster: _id, createdAt: { $gt: resolvedAt } });
      return { changeRequests, resolvedAt, sinceResolved };
    }),
  );
}
