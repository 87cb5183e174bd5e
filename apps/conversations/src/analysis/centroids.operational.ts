import type { StoredCentroid } from '@scriptorium/clustering';
import type { Scope } from '@scriptorium/platform';
import type { Binary, Collection } from 'mongodb';
import { binaryOf, numbersOf } from '../texts/index.js';

interface CentroidDocument {
  /** `<organization>/<number>` */
  _id: string;
  organization: string;
  /** The cluster, and its number. */
  id: string;
  cluster: number;
  /** The change of the clusters up to which it counts. */
  at: number;
  /** The version of the vectors that it is the sum of. */
  version: string;
  /** How many vectors were added: 0 if no issue of the cluster could be read. */
  size: number;
  /** A sum of terms, or one of a model. */
  json?: string;
  values?: Binary;
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

/** The centroids of an organization in one version of vectors, each with the change up to which it counts. */
export async function findCentroids(
  scope: Pick<Scope, 'database'>,
  organization: string,
  version: string,
): Promise<{ at: number; centroid: StoredCentroid }[]> {
  const found = await centroids(scope).find({ organization, version }).toArray();
  return found.map((doc) => ({ at: doc.at, centroid: centroidOf(doc) }));
}

/** Of all stored centroids of an organization: their version, and up to which change they count. */
export async function findCentroidFacts(
  scope: Pick<Scope, 'database'>,
  organization: string,
): Promise<Pick<CentroidDocument, 'id' | 'cluster' | 'at' | 'version'>[]> {
  const projection = { _id: 0, id: 1, cluster: 1, at: 1, version: 1 } as const;
  return centroids(scope).find({ organization }, { projection }).toArray();
}

/** The centroid of one cluster, if it is of this version, counts at least up to this change and is not empty. */
export async function findCentroid(
  scope: Pick<Scope, 'database'>,
  { organization, id }: { organization: string; id: string },
  { version, since = 0 }: { version: string; since?: number },
): Promise<StoredCentroid | undefined> {
  const found = await centroids(scope).findOne({ organization, id, version, at: { $gte: since }, size: { $gt: 0 } });
  return found === null ? undefined : centroidOf(found);
}

/** Stores centroids of clusters, each with the id of its cluster. */
export async function storeCentroids(
  scope: Pick<Scope, 'database'>,
  organization: string,
  { stored, at, version }: { stored: readonly { id: string; centroid: StoredCentroid }[]; at: number; version: string },
): Promise<void> {
  for (let start = 0; start < stored.length; start += batchSize)
    await centroids(scope).bulkWrite(
      stored.slice(start, start + batchSize).map(({ id, centroid: { cluster, size, sum } }) => ({
        replaceOne: {
          filter: { _id: `${organization}/${cluster}` },
          replacement: { organization, id, cluster, at, version, size, ...sumOf(sum) },
          upsert: true,
        },
      })),
      { ordered: false },
    );
}

function sumOf(sum: StoredCentroid['sum']): Pick<CentroidDocument, 'json' | 'values'> {
  return sum.kind === 'terms' ? { json: JSON.stringify(sum) } : { values: binaryOf(sum.values) };
}

function centroidOf({ cluster, size, json, values }: CentroidDocument): StoredCentroid {
  const sum: StoredCentroid['sum'] =
    values === undefined
      ? (JSON.parse(json ?? '{}') as StoredCentroid['sum'])
      : { kind: 'dense', values: numbersOf(values) };
  return { cluster, size, sum };
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
