import { publicStream } from '../kernel/public-streams.js';
import { getConversationById, listConversations } from './conversations.js';
import { conversationEventSchemas, ingestionEventSchemas } from './events.js';

/** Streams of conversations whose events audit and change feed tell. */
export const conversationStreams = [
  publicStream({
    service: 'conversations',
    entity: 'ingestion',
    schemas: ingestionEventSchemas,
    shownBy: listConversations,
    target: { object: 'organization' },
  }),
  publicStream({
    service: 'conversations',
    entity: 'conversation',
    schemas: conversationEventSchemas,
    shownBy: getConversationById,
    target: { object: 'conversation' },
  }),
];
