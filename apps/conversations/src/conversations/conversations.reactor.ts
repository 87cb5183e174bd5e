import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { withdrawIssues } from '../clusters/index.js';
import { dropTexts } from '../texts/index.js';
import { conversationEvents } from './conversation.events.js';
import { conversations } from './conversation.projection.js';
import { conversation } from './conversation.js';
import { ingestionEvents } from './ingestion.js';
import { scheduleExpiry } from './retention.timer.js';

const ends = conversationEvents.pick('ConversationReplaced', 'ConversationDeleted', 'ConversationExpired');

/** Deletes the texts that nothing names any more: the request that should have done so may have broken off. */
export function endedTextsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'texts_of_ended_conversations',
    entities: ['conversation'],
    events: [ends],
    react: async ({ entityId: owner, position, ...event }, store) => {
      const organization = event.meta.organization ?? '';
      const text = event.type === 'ConversationReplaced' ? event.data.previous : event.data.text;
      await dropTexts(context, [{ organization, owner, text }]);
      if (event.type !== 'ConversationExpired' || event.data.cause !== 'organization') {
        await withdrawIssues(context.scope(store), organization, [{ conversation: owner, text }]);
        return;
      }
      await waitForProjections({ store }, { position, type: event.type }, [conversations]);
      await store.in(organization).erase(conversation, owner);
    },
  });
}

/** As long as there are conversations, old ones are looked for. */
export function retentionReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'retention_of_conversations',
    entities: ['ingestion'],
    events: [ingestionEvents],
    react: (_event, store) => scheduleExpiry(store, context.now()),
  });
}
