import * as z from 'zod';

/*
 * Events of conversations that other services may consume, as they are stored: additive only. Actor, time and
 * organization are metadata. No event has a text of a conversation, nor the id that the caller gave it.
 */

/** Stream `conversations.ingestion-<organization>`: one event for each call that has changed something. */
export const ingestionEventSchemas = {
  ConversationsIngested: z.object({ source: z.string(), added: z.int(), replaced: z.int() }),
};

/** Stream `conversations.conversation-<id>`, of which only this is told to others. */
export const conversationEventSchemas = {
  /** By somebody, for good. */
  ConversationDeleted: z.object({ text: z.string() }),
};
