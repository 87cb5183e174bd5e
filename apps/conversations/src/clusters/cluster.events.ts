import { clusterEventSchemas, ClusterCountChange } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

const id = z.string();
const counts = z.array(ClusterCountChange);
/** By what issues and labels are made: sentences of the conversations themselves, or a language model. */
const analyzer = z.enum(['extractive', 'chat']);

/**
 * Events of the clusters of an organization, and of the issues in them: stream `conversations.clusters-<organization>`.
 * All issues stand in this stream, so counts of clusters always equal their issues. No texts: `text` names them in the
 * database of the service.
 */
export const clusterEvents = defineEvents({
  ...clusterEventSchemas,
  ClusterCreated: z.object({ cluster: id, number: z.int() }),
  /** Issues were found in conversations. `cluster`: `null` for one that fits nowhere. */
  IssuesExtracted: z.object({
    issues: z.array(
      z.object({
        issue: id,
        conversation: id,
        /** The number of issues of the conversation. */
        of: z.int(),
        text: id,
        part: z.string(),
        cluster: id.nullable(),
        similarity: z.number(),
        /** Of the conversation, and when it was sent here. */
        createdAt: z.string(),
        ingestedAt: z.string(),
        week: z.string(),
        source: z.string(),
        analyzer,
        /** The version of the vectors by which its cluster was chosen. */
        vectors: z.string().optional(),
      }),
    ),
    /** The conversations that were read, also those without issues. `text`: what was said in it then. */
    analysed: z.array(z.object({ conversation: id, text: id, issues: z.int(), failed: z.boolean() })),
    counts,
  }),
  /** Issues of small clusters were gathered into larger ones. */
  IssuesGathered: z.object({
    issues: z.array(z.object({ issue: id, from: id, cluster: id, similarity: z.number() })),
    counts,
  }),
  /** By a person: nothing else moves these issues again but a merge of their cluster. */
  IssuesMoved: z.object({ issues: z.array(id), to: id, counts }),
  /** With a conversation that was deleted or replaced. `undescribed`: clusters whose label was made from them. */
  IssuesRetracted: z.object({ issues: z.array(id), undescribed: z.array(id), counts }),
  /** Label and summary. `size`: how many issues it had. `analyzer`: which one, unless a person did it. */
  ClusterDescribed: z.object({
    cluster: id,
    text: id,
    by: z.enum(['analyzer', 'user']),
    size: z.int(),
    analyzer: analyzer.optional(),
  }),
  /** Clusters that are alike were merged, and small ones gathered. */
  ClustersRegrouped: z.object({}),
  ClusterPinned: z.object({ cluster: id, pinned: z.boolean() }),
  /** The organization was deleted: nothing is left of its issues and clusters. */
  ClustersClosed: z.object({}),
  /** It had no issue any more. */
  ClusterRemoved: z.object({ cluster: id }),
});
export type ClusterEvent = EventOf<typeof clusterEvents>;
export type CountChange = z.output<typeof ClusterCountChange>;
