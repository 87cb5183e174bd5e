import { findIssuesClusters, invalid } from '@scriptorium/contracts';
import { ask, type Call } from '@scriptorium/platform';

/**
 * Checks that a cluster of issues is one of the organization.
 * @throws AppError `invalid_request` naming the field, `unavailable` when conversations does not answer
 */
export async function requireCluster(call: Call, cluster: string): Promise<void> {
  const organization = call.store.context.organization ?? '';
  const { found } = await ask(call, findIssuesClusters, { organization, clusters: [cluster] });
  if (found.length === 0) throw invalid('body.conversationsIssuesCluster', 'Is no cluster of this organization');
}

/**
 * The ids by which change requests can name a cluster: its own, and those of clusters that were merged with it. They
 * change without an event of this service.
 */
export async function idsOfCluster(call: Call, cluster: string | undefined): Promise<readonly string[] | undefined> {
  if (cluster === undefined) return undefined;
  const organization = call.store.context.organization ?? '';
  const { found } = await ask(call, findIssuesClusters, { organization, clusters: [cluster] });
  return found[0]?.ids ?? [cluster];
}
