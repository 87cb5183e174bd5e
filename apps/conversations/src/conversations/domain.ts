import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { conversationsAccess } from './access.js';
import { conversationTotals } from './conversation-total.projection.js';
import { conversations as conversationDocuments } from './conversation.projection.js';
import { ConversationsController } from './conversations.controller.js';
import { endedTextsReactor, retentionReactor } from './conversations.reactor.js';
import { conversationSettings } from './conversations.settings.js';
import { PendingTexts, pendingTextsCommand, pendingTextsTimer } from './pending-texts.timer.js';
import { expireCommand, Retention } from './retention.js';
import { expireTimer } from './retention.timer.js';

/** Conversations: what was said, and how long it is kept. */
export const conversations = defineDomain({
  name: 'conversations',
  settings: conversationSettings,
  controllers: [ConversationsController],
  projections: [conversationDocuments, conversationTotals],
  objects: ({ context, settings }) => [
    new Retention(settings.CONVERSATIONS_KEEP_DAYS, context),
    new PendingTexts(context),
  ],
  resolvers: ({ use }) => conversationsAccess(use(ServiceAccess)),
  reactors: ({ context }) => [endedTextsReactor(context), retentionReactor(context)],
  timers: ({ context, use }) => ({
    [expireCommand]: expireTimer(context, use(Retention)),
    [pendingTextsCommand]: pendingTextsTimer(context),
  }),
});
