export { conversationTotals } from './conversation-total.projection.js';
export { conversations, type ConversationDocument } from './conversation.projection.js';
export { bodyOf, headOf, type ConversationBody, type ConversationHead } from './conversation-text.js';
export { conversation, finish, removeWithOrganization } from './conversation.js';
export { conversationEvents } from './conversation.events.js';
export { ingestion, ingestionEvents } from './ingestion.js';
export { isAnalysing, showConversations } from './conversations.queries.js';
