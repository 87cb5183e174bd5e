import { pickOperations } from '../kernel/operation.js';
import { defineServiceContract } from '../kernel/service-contract.js';
import * as clusters from './clusters.js';
import * as conversations from './conversations.js';
import { describeIssuesCluster, findIssuesClusters } from './internal.js';
import * as issues from './issues.js';
import { conversationLimits } from './limits.js';
import { conversationStreams } from './public-streams.js';

/** Everything that crosses the border of conversations. */
export const conversationsContract = defineServiceContract({
  name: 'conversations',
  operations: pickOperations({ ...conversations, ...issues, ...clusters }),
  internal: { findIssuesClusters, describeIssuesCluster },
  streams: conversationStreams,
  limits: conversationLimits,
  embeds: {},
  resourceKinds: {
    // The installation of the product.
    installation: { withinOrganization: false },
    organization: { withinOrganization: true },
    conversation: { withinOrganization: true },
    conversation_issue: { withinOrganization: true },
    issues_cluster: { withinOrganization: true },
  },
});
