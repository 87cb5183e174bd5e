import { weeklyPulseOf } from '@scriptorium/clustering';
import { AppError, type IssuesCluster } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { clusterDocuments, type ClusterDocument } from './cluster.projection.js';
import { descriptionsOf } from './descriptions.process.js';
import { workOf } from './requests.queries.js';

type StoredCluster = Stored<ClusterDocument>;
type OrderBy = 'updatedAt' | 'issues' | 'conversations';

export interface ClusterFilter {
  source?: string | undefined;
  minIssues?: number | undefined;
}

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

/** The living clusters of an organization. */
export async function listClustersOf(
  scope: Scope,
  organization: string,
  list: PageRequest & ClusterFilter & { operation: string; orderBy: OrderBy; order: 'asc' | 'desc' },
  isAnalysing: boolean,
): Promise<Page<IssuesCluster>> {
  const { operation, orderBy, order, page, limit, source, minIssues } = list;
  const found = await findPage<ClusterDocument>(scope.cursors, {
    model: scope.store.read(clusterDocuments),
    filter: filterOf(organization, { source, minIssues }),
    sort: orderBy,
    binding: { operation, scope: { organization, source, minIssues }, order },
    request: { page, limit },
  });
  return { ...found, items: await showClusters(scope, found.items, isAnalysing) };
}

function filterOf(organization: string, { source, minIssues }: ClusterFilter): Filter<StoredCluster> {
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
