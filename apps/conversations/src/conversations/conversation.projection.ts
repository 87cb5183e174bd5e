import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { conversationEvents, type ConversationEvent } from './conversation.events.js';

/** A conversation, without what was said. */
export interface ConversationDocument {
  organization: string;
  source: string;
  /** Keyed digest of the id that the caller gave it. */
  key: string;
  version: number;
  text: string;
  digest: string;
  createdAt: string;
  ingestedAt: string;
  /** Of everything that was said. */
  bytes: number;
  /** Whether its issues are found, and since when. */
  processed: boolean;
  processedAt: string | null;
}

const unprocessed = { processed: false, processedAt: null };

function writes(event: Recorded<ConversationEvent>): Write<ConversationDocument>[] {
  const { entityId: id, meta } = event;
  switch (event.type) {
    case 'ConversationIngested': {
      const { source, key, version, text, digest, createdAt, bytes } = event.data;
      const said = { version, text, digest, createdAt, bytes, ingestedAt: meta.time, ...unprocessed };
      return [{ put: id, doc: { organization: meta.organization ?? '', source, key, ...said } }];
    }
    case 'ConversationReplaced': {
      const { version, text, digest, createdAt, bytes } = event.data;
      const said = { version, text, digest, createdAt, bytes, ingestedAt: meta.time };
      return [{ set: id, fields: { ...said, ...unprocessed } }];
    }
    case 'ConversationProcessed':
    case 'ConversationProcessingFailed':
      return [{ set: id, fields: { processed: true, processedAt: meta.time } }];
    case 'ConversationDeleted':
    case 'ConversationExpired':
      return [{ remove: id }];
  }
}

/** The conversations of all organizations. */
export const conversations = projection({
  name: 'conversation',
  version: 1,
  entities: ['conversation'],
  events: [conversationEvents],
  indexes: [
    { key: { organization: 1, createdAt: -1, _id: -1 } },
    { key: { organization: 1, source: 1, createdAt: -1, _id: -1 } },
    { key: { organization: 1, key: 1 } },
    { key: { organization: 1, processed: 1, createdAt: 1, _id: 1 } },
    { key: { createdAt: 1 } },
  ],
  writes,
});
