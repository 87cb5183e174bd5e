import * as z from 'zod';
import { Id, Timestamp } from '../kernel/common.js';
import { Conversation } from './conversation.js';

export const ConversationIssue = z
  .object({
    object: z.literal('conversation-issue'),
    id: Id,
    title: z.string(),
    summary: z.string(),
    createdAt: Timestamp.meta({ description: 'When the conversation began.' }),
    ingestedAt: Timestamp,
    conversation: Id,
    cluster: Id.optional(),
    similarity: z.number().min(0).max(1).optional().meta({
      description:
        'How similar it was to its cluster; 1 for the first issue of one. Absent when a person has moved it.',
    }),
    why: z.array(z.string()).optional().meta({
      description: 'The words for which it is in its cluster, the strongest first, without their endings.',
    }),
    analyzer: z.enum(['extractive', 'chat']).meta({ description: 'By what it was found.' }),
    urls: z.object({ location: z.url() }),
  })
  .meta({ id: 'ConversationIssue' });
export type ConversationIssue = z.output<typeof ConversationIssue>;

export const IssueWithConversation = z
  .object({ issue: ConversationIssue, conversation: Conversation })
  .meta({ id: 'ConversationIssueWithConversation' });
export type IssueWithConversation = z.output<typeof IssueWithConversation>;
