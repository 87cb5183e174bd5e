import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { clusterEvents, type ClusterEvent } from './cluster.events.js';

/** An issue of a conversation, without its texts. */
export interface IssueDocument {
  organization: string;
  conversation: string;
  /** The number of issues of the conversation. */
  of: number;
  text: string;
  part: string;
  /** `null` while it is in none. */
  cluster: string | null;
  similarity: number;
  /** Whether a person has moved it. */
  moved: boolean;
  createdAt: string;
  ingestedAt: string;
  week: string;
  source: string;
  analyzer: 'extractive' | 'chat';
  /** The version of the vectors by which its cluster was chosen. */
  vectors?: string | undefined;
}

const issueEvents = clusterEvents.pick(
  'IssuesExtracted',
  'IssuesGathered',
  'IssuesMoved',
  'IssuesRetracted',
  'ClustersMerged',
  'ClustersClosed',
);

function writes(event: Recorded<ClusterEvent>): Write<IssueDocument>[] {
  switch (event.type) {
    case 'IssuesExtracted':
      return event.data.issues.map(({ issue, ...found }) => ({
        put: issue,
        doc: { organization: event.entityId, ...found, moved: false },
      }));
    case 'IssuesGathered':
      return event.data.issues.map(({ issue, cluster, similarity }) => ({
        set: issue,
        fields: { cluster, similarity },
      }));
    case 'IssuesMoved':
      return event.data.issues.map((issue) => ({ set: issue, fields: { cluster: event.data.to, moved: true } }));
    case 'IssuesRetracted':
      return event.data.issues.map((issue) => ({ remove: issue }));
    case 'ClustersMerged':
      return event.data.from.map((cluster) => ({ setWhere: { cluster }, fields: { cluster: event.data.into } }));
    case 'ClustersClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [];
  }
}

/** The issues of all organizations. */
export const issues = projection({
  name: 'conversation_issue',
  version: 1,
  entities: ['clusters'],
  events: [issueEvents],
  indexes: [
    { key: { organization: 1, createdAt: -1, _id: -1 } },
    { key: { cluster: 1, createdAt: -1, _id: -1 } },
    { key: { cluster: 1, createdAt: 1, conversation: 1 } },
    { key: { organization: 1, createdAt: 1, cluster: 1, conversation: 1, source: 1 } },
    { key: { conversation: 1 } },
  ],
  writes,
});
