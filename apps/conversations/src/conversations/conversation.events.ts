import { conversationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

const id = z.string();
/**
 * What was said: `text` names it in the database of the service, `digest` is keyed, so that nobody can find the texts
 * by trying. `createdAt`: when the conversation began elsewhere.
 */
const said = { version: z.int(), text: id, digest: z.string(), parts: z.int(), bytes: z.int(), createdAt: z.string() };

/** Events of a conversation: stream `conversations.conversation-<id>`. No texts, and not the caller's id. */
export const conversationEvents = defineEvents({
  ...conversationEventSchemas,
  /** `key`: keyed digest of the id that the caller gave it. */
  ConversationIngested: z.object({ source: z.string(), key: z.string(), ...said }),
  /** It was sent again, and differs. `previous`: the text that it replaces. */
  ConversationReplaced: z.object({ ...said, previous: id }),
  /** Its issues were found. */
  ConversationProcessed: z.object({ version: z.int(), issues: z.int() }),
  /** It could not be read in time, and has no issues. */
  ConversationProcessingFailed: z.object({ version: z.int(), reason: z.string() }),
  /** Because it is older than conversations are kept, or with its organization. */
  ConversationExpired: z.object({ text: id, cause: z.enum(['retention', 'organization']) }),
});
export type ConversationEvent = EventOf<typeof conversationEvents>;
