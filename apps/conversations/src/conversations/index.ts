export { conversationTotals } from './conversation-total.projection.js';
export { conversations, type ConversationDocument } from './conversation.projection.js';
export { conversation, removeWithOrganization } from './conversation.js';
export { conversationEvents } from './conversation.events.js';
export { ingestion, ingestionEvents } from './ingestion.js';
