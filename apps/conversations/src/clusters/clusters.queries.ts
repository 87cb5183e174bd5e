import { weeklyPulseOf } from '@scriptorium/clustering';
import { AppError, type IssuesCluster } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import {
  findPage,
  pageBy,
  type CursorBinding,
  type CursorKeys,
  type Page,
  type PageRequest,
  type Scope,
} from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { clusterDocuments, type ClusterDocument } from './cluster.projection.js';
import { descriptionsOf } from './descriptions.process.js';
import { countsSince } from './period.queries.js';
import { workOf } from './requests.queries.js';

type StoredCluster = Stored<ClusterDocument>;
type OrderBy = 'updatedAt' | 'issues' | 'conversations';

export interface ClusterFilter {
  source?: string | undefined;
  minIssues?: number | undefined;
  search?: string | undefined;
  since?: string | undefined;
}

export type ClusterList = PageRequest & ClusterFilter & { operation: string; orderBy: OrderBy; order: 'asc' | 'desc' };

interface ClusterParams {
  organizationId: string;
  clusterId: string;
}

/** The cluster of an organization that has an id; that of one which was merged is the living one. */
export async function findCluster(
  { store }: Pick<Scope, 'store'>,
  { organizationId, clusterId }: ClusterParams,
): Promise<StoredCluster | null> {
  const found = await store.read(clusterDocuments).byId(clusterId);
  if (found?.organization !== organizationId) return null;
  return found.mergedInto === null ? found : store.read(clusterDocuments).byId(found.mergedInto);
}

/** The same. @throws AppError `not_found` */
export async function requireCluster(scope: Pick<Scope, 'store'>, params: ClusterParams): Promise<StoredCluster> {
  const found = await findCluster(scope, params);
  if (found === null) throw new AppError('not_found');
  return found;
}

/** The living clusters of an organization. With `since`, their counts are those of the issues since then. */
export async function listClustersOf(
  scope: Scope,
  organization: string,
  list: ClusterList,
  isAnalysing: boolean,
): Promise<Page<IssuesCluster>> {
  if (list.since !== undefined) return listSince(scope, organization, { ...list, since: list.since }, isAnalysing);
  const { order, page, limit, source, minIssues, search } = list;
  const found = await findPage<ClusterDocument>(scope.cursors, {
    model: scope.store.read(clusterDocuments),
    filter: {
      ...filterOf(organization, { source, minIssues }),
      ...(search === undefined ? {} : { _id: { $in: await described(scope, organization, search) } }),
    },
    sort: list.orderBy,
    binding: bindingOf(organization, list, order),
    request: { page, limit },
  });
  return { ...found, items: await showClusters(scope, found.items, isAnalysing) };
}

function bindingOf(
  organization: string,
  { operation, source, minIssues, search, since }: ClusterList,
  order: 'asc' | 'desc',
): Omit<CursorBinding, 'sort'> {
  return { operation, scope: { organization, source, minIssues, search, since }, order };
}

/** The living clusters whose label or summary has a text. An organization has a bounded number of clusters. */
async function described(scope: Scope, organization: string, search: string): Promise<string[]> {
  const docs = await scope.store.read(clusterDocuments).find({ organization, mergedInto: null }).toArray();
  const wanted = search.toLowerCase();
  const descriptions = await descriptionsOf(scope, docs);
  return docs.flatMap(({ _id }, index) => {
    const { label = '', summary = '' } = descriptions[index] ?? {};
    return [label, summary].some((text) => text.toLowerCase().includes(wanted)) ? [_id] : [];
  });
}

/** Clusters with the counts of a period. They are ordered here, since nothing stores them. */
async function listSince(
  scope: Scope,
  organization: string,
  list: ClusterList & { since: string },
  isAnalysing: boolean,
): Promise<Page<IssuesCluster>> {
  const { orderBy, order, page, limit, source, minIssues = 1, search, since } = list;
  const counts = await countsSince(scope.store, organization, since);
  const ids = search === undefined ? [...counts.keys()] : await described(scope, organization, search);
  const found = (await scope.store.read(clusterDocuments).byIds(ids)).flatMap((doc) => {
    const counted = counts.get(doc._id);
    const isWanted = doc.mergedInto === null && counted !== undefined && counted.issues >= minIssues;
    return isWanted && (source === undefined || counted.bySource[source] !== undefined) ? [{ ...doc, ...counted }] : [];
  });
  const sign = order === 'asc' ? 1 : -1;
  const compared = (a: CursorKeys, b: CursorKeys): number => sign * (compare(a[0], b[0]) || compare(a[1], b[1]));
  const keysOf = (doc: StoredCluster): CursorKeys => [doc[orderBy], doc._id];
  const sorted = found.sort((a, b) => compared(keysOf(a), keysOf(b)));
  const listed = await pageBy<StoredCluster>(scope.cursors, {
    binding: { ...bindingOf(organization, list, order), sort: orderBy },
    request: { page, limit },
    fetch: (most, after) =>
      sorted.filter((doc) => after === undefined || compared(keysOf(doc), after) > 0).slice(0, most),
    count: () => sorted.length,
    isCounted: true,
    keysOf,
  });
  return { ...listed, items: await showClusters(scope, listed.items, isAnalysing) };
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

function filterOf(
  organization: string,
  { source, minIssues }: Pick<ClusterFilter, 'source' | 'minIssues'>,
): Filter<StoredCluster> {
  return {
    organization,
    mergedInto: null,
    ...(source === undefined ? {} : { [`bySource.${source}`]: { $gte: 1 } }),
    ...(minIssues === undefined ? {} : { issues: { $gte: minIssues } }),
  };
}

/** Clusters as they are answered. The pulse is that of the present week, so it is computed now. */
export async function showClusters(
  scope: Scope,
  docs: readonly StoredCluster[],
  isAnalysing: boolean,
): Promise<IssuesCluster[]> {
  const [descriptions, work] = await Promise.all([descriptionsOf(scope, docs), workOf(scope.store, docs)]);
  const now = new Date(scope.now());
  return docs.map((doc, index) => {
    const { label = '', summary = '', icon = '' } = descriptions[index] ?? {};
    return {
      object: 'issues-cluster',
      id: doc._id,
      label,
      summary,
      icon,
      createdAt: doc.createdAt,
      updatedAt: doc.updatedAt,
      status: isAnalysing ? 'analysing' : 'pending',
      pinned: doc.pinned,
      weeklyPulse: weeklyPulseOf(doc.weeks, now),
      sources: { ...doc.bySource },
      stats: { issues: doc.issues, conversations: doc.conversations },
      ...(work[index] ?? { changeRequests: { open: 0, merged: 0 } }),
      urls: { location: `${scope.urls.api}/orgs/${doc.organization}/conversations-clusters/${doc._id}` },
    };
  });
}
