export * from './bounds.js';
export {
  conversationRoles,
  type Conversation,
  type ConversationInput,
  type ConversationPart,
  type ConversationWithParts,
} from './conversation.js';
export * from './conversations.js';
export { conversationEventSchemas, ingestionEventSchemas } from './events.js';
export * from './limits.js';
export { conversationsContract } from './service.js';
