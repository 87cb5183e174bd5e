import * as z from 'zod';
import { Id, listOf, paging } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { IssueWithConversation } from './issue.js';

const base = { service: 'conversations', tag: 'Conversations' } as const;
const path = '/orgs/{organizationId}/conversations-issues';

export const listConversationsIssues = operation({
  ...base,
  id: 'listConversationsIssues',
  method: 'GET',
  path,
  summary: 'List what was found in conversations, the newest first',
  access: { scope: 'organization:read', resource: 'organization', view: ['guest'], allow: ['read'] },
  params: z.object({ organizationId: Id }),
  query: z.object({
    ...paging,
    cluster: Id.optional().meta({ description: 'Only the issues of this cluster.' }),
    conversation: Id.optional().meta({ description: 'Only the issues of this conversation.' }),
  }),
  response: listOf(IssueWithConversation),
});

export const getConversationIssueById = operation({
  ...base,
  id: 'getConversationIssueById',
  method: 'GET',
  path: `${path}/{issueId}`,
  summary: 'Get an issue with its conversation',
  access: { scope: 'organization:read', resource: 'conversation_issue', view: ['read'], allow: ['read'] },
  params: z.object({ organizationId: Id, issueId: Id }),
  response: IssueWithConversation,
});
