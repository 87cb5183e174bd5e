import {
  getConversationIssueById,
  listConversationsIssues,
  listIssuesInConversationsCluster,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { findCluster, requireCluster } from '../clusters/index.js';
import { getIssue, listIssuesOf } from './issues.queries.js';

/** What was found in conversations. */
@Controller()
export class IssuesController {
  @Handles(listConversationsIssues)
  async list({ params, query }: InputOf<typeof listConversationsIssues>, call: Call) {
    const { organizationId: organization } = params;
    const { cluster: asked, conversation } = query;
    // The id of a cluster that was merged stands for the one that has its issues now.
    const living =
      asked === undefined ? null : await findCluster(call, { organizationId: organization, clusterId: asked });
    const filter = { organization, cluster: living?._id ?? asked, conversation };
    return listIssuesOf(call, filter, { ...query, operation: call.operation });
  }

  @Handles(getConversationIssueById)
  async get({ params }: InputOf<typeof getConversationIssueById>, call: Call) {
    return getIssue(call, params);
  }

  @Handles(listIssuesInConversationsCluster)
  async ofCluster({ params, query }: InputOf<typeof listIssuesInConversationsCluster>, call: Call) {
    const { _id: cluster, organization } = await requireCluster(call, params);
    return listIssuesOf(call, { organization, cluster }, { ...query, operation: call.operation });
  }
}
