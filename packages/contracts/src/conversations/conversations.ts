import * as z from 'zod';
import { Id, listOf, Moment, paging } from '../kernel/common.js';
import { openToInstallations } from '../kernel/integration-access.js';
import { operation } from '../kernel/operation.js';
import { conversationBounds } from './bounds.js';
import { Conversation, ConversationsInput, ConversationWithParts, SourceFilter } from './conversation.js';

const base = { service: 'conversations', tag: 'Conversations' } as const;
const orgParams = z.object({ organizationId: Id });
const params = z.object({ organizationId: Id, conversationId: Id });
const path = '/orgs/{organizationId}/conversations';
const onePath = `${path}/{conversationId}`;
const ingesting = 'conversations:ingest';
/** A call has the work of up to 500 writes. */
const longCallMs = 60_000;

export const ingestConversation = operation({
  ...base,
  id: 'ingestConversation',
  method: 'POST',
  path,
  summary: 'Ingest support conversations: one, or an array of up to 500; all of them, or none if one is not valid',
  access: openToInstallations(
    { scope: 'organization:write', resource: 'organization', view: ['guest'], allow: ['admin'] },
    ingesting,
  ),
  params: orgParams,
  body: ConversationsInput,
  reasons: ['limit_reached'],
  largeBodyDeadlineMs: longCallMs,
  batch: 'send up to 500 conversations in one request, as an array',
});

export const listConversations = operation({
  ...base,
  id: 'listConversations',
  method: 'GET',
  path,
  summary: 'List conversations, the newest first',
  access: { scope: 'organization:read', resource: 'organization', view: ['guest'], allow: ['read'] },
  params: orgParams,
  query: z.object({
    ...paging,
    source: SourceFilter,
    externalId: z.string().min(1).max(conversationBounds.id).optional().meta({
      description: 'Only the one with this id of its source.',
    }),
    cluster: Id.optional().meta({
      description: `Only those with an issue in this cluster, of at most ${conversationBounds.countedIssues} issues between \`from\` and \`to\`.`,
    }),
    processed: z.boolean().optional().meta({ description: 'Only those whose issues are found, or are not yet.' }),
    from: Moment.optional().meta({ description: 'Only those that were created then or later.' }),
    to: Moment.optional().meta({ description: 'Only those that were created before.' }),
  }),
  response: listOf(Conversation),
});

export const getConversationById = operation({
  ...base,
  id: 'getConversationById',
  method: 'GET',
  path: onePath,
  summary: 'Get a conversation with its parts',
  access: { scope: 'organization:read', resource: 'conversation', view: ['read'], allow: ['read'] },
  params,
  response: ConversationWithParts,
});

export const deleteConversationById = operation({
  ...base,
  id: 'deleteConversationById',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a conversation, its texts and its issues, for good',
  access: openToInstallations(
    { scope: 'organization:write', resource: 'conversation', view: ['read'], allow: ['admin'] },
    ingesting,
  ),
  params,
});
