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

const counted = z.record(z.string(), z.int());
/** What changes in the counts of a cluster. It is recorded, so that a rebuild computes nothing. */
export const ClusterCountChange = z.object({
  cluster: z.string(),
  issues: z.int(),
  conversations: z.int(),
  /** Issues by week, `2026-W48`, and by type of source. */
  weeks: counted,
  bySource: counted,
});

/** Stream `conversations.clusters-<organization>`, of which only this is told to others. */
export const clusterEventSchemas = {
  /** All issues of some clusters are in another one now, by analysis or by a person. */
  ClustersMerged: z.object({
    into: z.string(),
    from: z.array(z.string()),
    by: z.enum(['analysis', 'user']).default('analysis'),
    counts: z.array(ClusterCountChange),
  }),
};
