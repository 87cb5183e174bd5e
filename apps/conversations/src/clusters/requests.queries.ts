import type { StoreScope, Stored } from '@scriptorium/event-sourcing';
import { clusterDocuments, type ClusterDocument } from './cluster.projection.js';
import { clusterRequests, type ClusterRequestDocument } from './cluster-request.projection.js';
import { issues } from './issue.projection.js';

/** What was done about a cluster. */
export interface ClusterWork {
  changeRequests: { open: number; merged: number };
  /** When a change request for it was merged last, and how many issues came since. */
  resolvedAt?: string;
  sinceResolved?: number;
}

type Reading = Pick<StoreScope, 'read'>;

/** Merged clusters that are looked at together. */
const batchSize = 1_000;

interface RequestOf {
  /** The living cluster. */
  living: string;
  request: ClusterRequestDocument;
}

/** Change requests for living clusters and for those that were merged into them, of which there may be many. */
async function requestsOf(store: Reading, living: readonly string[]): Promise<RequestOf[]> {
  const merged = store
    .read(clusterDocuments)
    .find({ mergedInto: { $in: [...living] } }, { projection: { mergedInto: 1 } });
  const found: RequestOf[] = [];
  let batch = new Map(living.map((id) => [id, id]));
  const look = async (): Promise<void> => {
    const requests = store.read(clusterRequests).find({ cluster: { $in: [...batch.keys()] } });
    for await (const request of requests) found.push({ living: batch.get(request.cluster) ?? '', request });
    batch = new Map();
  };
  for await (const { _id, mergedInto } of merged) {
    if (mergedInto !== null) batch.set(_id, mergedInto);
    if (batch.size >= batchSize) await look();
  }
  if (batch.size > 0) await look();
  return found;
}

/**
 * The id of a living cluster, and of clusters that were merged into it: those that are known to have change requests,
 * and the newest 1,000, of which this may not be known yet.
 */
export async function idsWithRequests(store: Reading, living: string): Promise<string[]> {
  const newest = await store
    .read(clusterDocuments)
    .find({ mergedInto: living }, { sort: { updatedAt: -1 }, limit: batchSize, projection: { _id: 1 } })
    .toArray();
  const requests = await requestsOf(store, [living]);
  return [...new Set([living, ...newest.map(({ _id }) => _id), ...requests.map(({ request }) => request.cluster)])];
}

/** What was done about clusters, in their order. Change requests of those that were merged into them count. */
export async function workOf(store: Reading, docs: readonly Stored<ClusterDocument>[]): Promise<ClusterWork[]> {
  const requests = await requestsOf(
    store,
    docs.map(({ _id }) => _id),
  );
  return Promise.all(
    docs.map(async ({ _id }) => {
      const own = requests.filter(({ living }) => living === _id).map(({ request }) => request);
      const merged = own.flatMap(({ mergedAt }) => mergedAt ?? []).sort();
      const changeRequests = { open: own.filter(({ status }) => status === 'open').length, merged: merged.length };
      const resolvedAt = merged.at(-1);
      if (resolvedAt === undefined) return { changeRequests };
      const sinceResolved = await store.read(issues).count({ cluster: _id, createdAt: { $gt: resolvedAt } });
      return { changeRequests, resolvedAt, sinceResolved };
    }),
  );
}
