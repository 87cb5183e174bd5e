import { publicStream } from '../kernel/public-streams.js';
import { getConversationsIssuesClusterById } from './clusters.js';
import { getConversationById, listConversations } from './conversations.js';
import { clusterEventSchemas, conversationEventSchemas, ingestionEventSchemas } from './events.js';

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
  publicStream({
    service: 'conversations',
    entity: 'clusters',
    schemas: clusterEventSchemas,
    shownBy: getConversationsIssuesClusterById,
    // Analysis merges clusters, too, and nobody has done that.
    untold: ['ClustersMerged'],
    target: { object: 'issues-cluster', idIn: 'into' },
  }),
];
