export * from './bounds.js';
export { type IssuesCluster, type IssuesClusterDescription } from './cluster.js';
export * from './clusters.js';
export {
  conversationRoles,
  type Conversation,
  type ConversationInput,
  type ConversationPart,
  type ConversationWithParts,
} from './conversation.js';
export * from './conversations.js';
export { ClusterCountChange, clusterEventSchemas, conversationEventSchemas, ingestionEventSchemas } from './events.js';
export * from './internal.js';
export { type ConversationIssue, type IssueWithConversation } from './issue.js';
export * from './issues.js';
export * from './limits.js';
export { conversationsContract } from './service.js';
