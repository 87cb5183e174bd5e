import { projection, type Recorded } from '@scriptorium/event-sourcing';
import { conversationEvents, type ConversationEvent } from './conversation.events.js';

/** How many conversations an organization has. */
export interface ConversationTotal {
  conversations: number;
}

const counted = conversationEvents.pick('ConversationIngested', 'ConversationDeleted', 'ConversationExpired');

function evolve(doc: ConversationTotal | null, event: Recorded<ConversationEvent>): ConversationTotal {
  const change = event.type === 'ConversationIngested' ? 1 : -1;
  return { conversations: Math.max(0, (doc?.conversations ?? 0) + change) };
}

/** The number of conversations of each organization. */
export const conversationTotals = projection({
  name: 'conversation_total',
  version: 1,
  entities: ['conversation'],
  events: [counted],
  id: ({ meta }) => meta.organization,
  evolve,
});
