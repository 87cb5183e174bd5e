import type { StoredCentroid } from '@scriptorium/clustering';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

interface CentroidDocument {
  /** `<organization>/<number>` */
  _id: string;
  organization: string;
  /** The cluster, and its number. */
  id: string;
  cluster: number;
  /** The change of the clusters up to which it counts. */
  at: number;
  /** The weight table by which it was made. */
  table: number;
  size: number;
  json: string;
}

/** Centroids of clusters: a cache that is made again from issues. */
const name = 'op_cluster_centroids';
export const centroidIndexes = {
  [name]: [
    { key: { organization: 1 }, name: 'organization' },
    { key: { organization: 1, id: 1 }, name: 'organization_id' },
  ],
} as const;

const batchSize = 500;

function centroids({ database }: Pick<Scope, 'database'>): Collection<CentroidDocument> {
  return database.collection<CentroidDocument>(name);
}

/** The centroids of an organization that were made by a weight table, each with the change up to which it counts. */
export async function findCentroids(
  scope: Pick<Scope, 'database'>,
  organization: string,
  table: number,
): Promise<{ at: number; centroid: StoredCentroid }[]> {
  const found = await centroids(scope).find({ organization, table }).toArray();
  return found.map(({ cluster, at, size, json }) => ({
    at,
    centroid: { cluster, size, sum: JSON.parse(json) as StoredCentroid['sum'] },
  }));
}

/** Of all stored centroids of an organization: by which table they were made, and up to which change they count. */
export async function findCentroidFacts(
  scope: Pick<Scope, 'database'>,
  organization: string,
): Promise<Pick<CentroidDocument, 'id' | 'cluster' | 'at' | 'table'>[]> {
  const projection = { _id: 0, id: 1, cluster: 1, at: 1, table: 1 } as const;
  return centroids(scope).find({ organization }, { projection }).toArray();
}

/** The centroid of one cluster, if it was made by this table and counts at least up to this change. */
export async function findCentroid(
  scope: Pick<Scope, 'database'>,
  { organization, id }: { organization: string; id: string },
  { table, since = 0 }: { table: number; since?: number },
): Promise<StoredCentroid | undefined> {
  const found = await centroids(scope).findOne({ organization, id, table, at: { $gte: since } });
  if (found === null) return undefined;
  return { cluster: found.cluster, size: found.size, sum: JSON.parse(found.json) as StoredCentroid['sum'] };
}

/** Stores centroids of clusters, each with the id of its cluster. */
export async function storeCentroids(
  scope: Pick<Scope, 'database'>,
  organization: string,
  { stored, at, table }: { stored: readonly { id: string; centroid: StoredCentroid }[]; at: number; table: number },
): Promise<void> {
  for (let start = 0; start < stored.length; start += batchSize)
    await centroids(scope).bulkWrite(
      stored.slice(start, start + batchSize).map(({ id, centroid: { cluster, size, sum } }) => ({
        replaceOne: {
          filter: { _id: `${organization}/${cluster}` },
          replacement: { organization, id, cluster, at, table, size, json: JSON.stringify(sum) },
          upsert: true,
        },
      })),
      { ordered: false },
    );
}

/** Deletes the centroids of some clusters of an organization, or all. */
export async function dropCentroids(
  scope: Pick<Scope, 'database'>,
  organization: string,
  ids?: readonly string[],
): Promise<void> {
  if (ids?.length === 0) return;
  await centroids(scope).deleteMany({ organization, ...(ids === undefined ? {} : { id: { $in: [...ids] } }) });
}
