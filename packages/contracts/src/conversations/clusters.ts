import * as z from 'zod';
import { Id, listOf, Moment, Order, paging, text } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { conversationBounds } from './bounds.js';
import { ClusterChanges, clusterStatuses, IssuesCluster } from './cluster.js';
import { IssueWithConversation } from './issue.js';

const base = { service: 'conversations', tag: 'Conversations' } as const;
const params = z.object({ organizationId: Id, clusterId: Id });
const path = '/orgs/{organizationId}/conversations-clusters';
const onePath = `${path}/{clusterId}`;
const read = { scope: 'organization:read', resource: 'issues_cluster', view: ['read'], allow: ['read'] } as const;
const write = { ...read, scope: 'organization:write', allow: ['create'] } as const;
/** Orders by what this API has none of. They are those of `updatedAt`. */
const taskOrders = ['tasksTotal', 'tasksBacklog', 'tasksStarted'] as const;

export const listConversationsIssuesClusters = operation({
  ...base,
  id: 'listConversationsIssuesClusters',
  method: 'GET',
  path,
  summary: 'List the clusters of issues',
  access: { ...read, resource: 'organization', view: ['guest'] },
  params: z.object({ organizationId: Id }),
  query: z.object({
    ...paging,
    orderBy: z.enum(['updatedAt', 'issues', 'conversations', ...taskOrders]).default('updatedAt'),
    order: Order.default('desc'),
    status: z.enum(clusterStatuses).optional(),
    source: z
      .string()
      .max(100)
      .regex(/^[\w-]+$/)
      .optional()
      .meta({ description: 'Only those with issues from this integration, `api` or `email`.' }),
    search: text(1, conversationBounds.search).optional().meta({
      description: 'Only those with this in their label or summary, whatever the case.',
    }),
    since: Moment.optional().meta({
      description: `Only those with issues of conversations that began since then, and counts of these issues alone. There may be at most ${conversationBounds.countedIssues} of them.`,
    }),
    minIssues: z.int().min(1).optional().meta({ description: 'Only those with at least as many issues.' }),
  }),
  response: listOf(IssuesCluster),
});

export const getConversationsIssuesClusterById = operation({
  ...base,
  id: 'getConversationsIssuesClusterById',
  method: 'GET',
  path: onePath,
  summary: 'Get a cluster of issues; for one that was merged, the cluster that has its issues now',
  access: read,
  params,
  response: IssuesCluster,
});

export const listIssuesInConversationsCluster = operation({
  ...base,
  id: 'listIssuesInConversationsCluster',
  method: 'GET',
  path: `${onePath}/issues`,
  summary: 'List the issues of a cluster, the newest first',
  access: read,
  params,
  query: z.object(paging),
  response: listOf(IssueWithConversation),
});

export const updateConversationsIssuesCluster = operation({
  ...base,
  id: 'updateConversationsIssuesCluster',
  method: 'PATCH',
  path: onePath,
  summary: 'Name, describe or pin a cluster, or merge it into another one',
  access: write,
  params,
  body: ClusterChanges,
  response: IssuesCluster,
});

export const moveIssuesToConversationsCluster = operation({
  ...base,
  id: 'moveIssuesToConversationsCluster',
  method: 'POST',
  path: `${onePath}/issues`,
  summary: 'Move issues to a cluster; later ones like them follow',
  access: write,
  params,
  body: z.object({ issues: z.array(Id).min(1).max(200).meta({ description: 'Ids of the issues.' }) }),
  status: 200,
  response: IssuesCluster,
});
