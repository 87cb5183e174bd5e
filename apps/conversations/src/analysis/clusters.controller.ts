import {
  getConversationsIssuesClusterById,
  listConversationsIssuesClusters,
  moveIssuesToConversationsCluster,
  updateConversationsIssuesCluster,
  type InputOf,
} from '@scriptorium/contracts';
import { AppError } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { changeCluster, listClustersOf, moveIssues, requireCluster, showClusters } from '../clusters/index.js';
import { isAnalysing } from '../conversations/index.js';

type Params = InputOf<typeof getConversationsIssuesClusterById>['params'];

/** Clusters of issues, and what people correct in them. */
@Controller()
export class ClustersController {
  @Handles(listConversationsIssuesClusters)
  async list({ params, query }: InputOf<typeof listConversationsIssuesClusters>, call: Call) {
    const { organizationId: organization } = params;
    const { status, orderBy, ...list } = query;
    const analysing = await isAnalysing(call, organization);
    if (status !== undefined && (status === 'analysing') !== analysing) return { items: [], count: 0 };
    const by = orderBy === 'issues' || orderBy === 'conversations' ? orderBy : 'updatedAt';
    return listClustersOf(call, organization, { ...list, orderBy: by, operation: call.operation }, analysing);
  }

  @Handles(getConversationsIssuesClusterById)
  async get({ params }: InputOf<typeof getConversationsIssuesClusterById>, call: Call) {
    return this.show(call, params);
  }

  @Handles(updateConversationsIssuesCluster)
  async update({ params, body }: InputOf<typeof updateConversationsIssuesCluster>, call: Call) {
    await changeCluster(call, await requireCluster(call, params), body);
    return this.show(call, params);
  }

  @Handles(moveIssuesToConversationsCluster)
  async move({ params, body }: InputOf<typeof moveIssuesToConversationsCluster>, call: Call) {
    await moveIssues(call, await requireCluster(call, params), body.issues);
    return this.show(call, params);
  }

  private async show(call: Call, params: Params) {
    const cluster = await requireCluster(call, params);
    const [shown] = await showClusters(call, [cluster], await isAnalysing(call, cluster.organization));
    if (shown === undefined) throw new AppError('not_found');
    return shown;
  }
}
