import * as z from 'zod';
import { Id, Moment, Timestamp, Url, text } from '../kernel/common.js';
import { conversationBounds as bounds } from './bounds.js';

export const conversationRoles = ['user', 'assistant', 'team-member'] as const;

const wellFormed = (value: string): boolean => value.isWellFormed();
const unicode = 'Must be well-formed Unicode';

export const ConversationPart = z
  .object({
    type: z.literal('message'),
    role: z.enum(conversationRoles),
    body: z.string().max(bounds.partLength).refine(wellFormed, unicode).meta({ description: 'Markdown or HTML.' }),
  })
  .meta({ id: 'ConversationPart' });
export type ConversationPart = z.output<typeof ConversationPart>;

/** Where a conversation comes from. `integration:<name>:<installation>`, `email`, or `api` for users. */
const Source = z.string().max(512);

const attributes = z
  .record(text(1, bounds.attributeName), z.string().max(bounds.attributeValue).refine(wellFormed, unicode))
  .refine((all) => Object.keys(all).length <= bounds.attributes, `Must have at most ${bounds.attributes} entries`);

export const ConversationInput = z
  .object({
    id: text(1, bounds.id).meta({
      description: 'Your id of the conversation. One with the same id and from the same source is replaced.',
    }),
    subject: text(0, bounds.subject).optional(),
    parts: z.array(ConversationPart).min(1).max(bounds.parts).meta({ description: 'In their order.' }),
    metadata: z
      .object({
        url: Url.optional().meta({ description: 'Where people find the conversation.' }),
        attributes: attributes.optional(),
        createdAt: Moment.optional().meta({ description: 'When it began; now, unless given.' }),
      })
      .optional(),
  })
  .meta({ id: 'ConversationInput' });
export type ConversationInput = z.output<typeof ConversationInput>;

const conversationList = z
  .array(ConversationInput)
  .min(1)
  .max(bounds.conversations)
  .superRefine((all, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of all.entries()) {
      if (seen.has(id))
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'Is the id of another one of this request' });
      seen.add(id);
    }
  });

/** One conversation, or up to 500. */
export const ConversationsInput = z.union([ConversationInput, conversationList]);

export const Conversation = z
  .object({
    object: z.literal('conversation'),
    id: Id,
    externalId: z.string().meta({ description: 'The id that the caller gave it.' }),
    subject: z.string().optional(),
    createdAt: Timestamp,
    ingestedAt: Timestamp.meta({ description: 'When it was sent here last.' }),
    processedAt: Timestamp.optional().meta({ description: 'Absent until its issues are found.' }),
    source: Source,
    urls: z.object({ location: z.url(), source: z.url().optional() }),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.output<typeof Conversation>;

export const ConversationWithParts = z
  .object({
    conversation: Conversation,
    parts: z.array(ConversationPart),
    metadata: z.object({
      url: z.url().optional(),
      attributes: z.record(z.string(), z.string()),
      createdAt: Timestamp,
    }),
  })
  .meta({ id: 'ConversationWithParts' });
export type ConversationWithParts = z.output<typeof ConversationWithParts>;

export const SourceFilter = Source.optional().meta({ description: 'Only those from this source.' });
