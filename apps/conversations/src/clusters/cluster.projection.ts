import { countsAfter, noCounts, type ClusterCounts } from '@scriptorium/clustering';
import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { clusterEvents, type ClusterEvent, type CountChange } from './cluster.events.js';

/** A cluster, without its texts. One that was merged stays, so that its id still leads somewhere. */
export interface ClusterDocument extends ClusterCounts {
  organization: string;
  number: number;
  createdAt: string;
  updatedAt: string;
  /** `null` while it has no label. */
  text: string | null;
  /** Whether a person has named or pinned it. */
  byUser: boolean;
  pinned: boolean;
  /** `null` for a living cluster. */
  mergedInto: string | null;
}

function writes(event: Recorded<ClusterEvent>): Write<ClusterDocument>[] {
  const { time } = event.meta;
  switch (event.type) {
    case 'ClusterCreated': {
      const { cluster, number } = event.data;
      const facts = { text: null, byUser: false, pinned: false, mergedInto: null };
      const doc = { organization: event.entityId, number, createdAt: time, updatedAt: time, ...facts, ...noCounts };
      return [{ put: cluster, doc }];
    }
    case 'IssuesExtracted':
    case 'IssuesGathered':
    case 'IssuesMoved':
      return counted(event.data.counts, time);
    case 'IssuesRetracted':
      return [
        ...counted(event.data.counts, time),
        ...event.data.undescribed.map((cluster) => ({ set: cluster, fields: { text: null } })),
      ];
    case 'ClustersMerged':
      return merged(event.data, time);
    case 'ClusterDescribed': {
      const { cluster, text, by } = event.data;
      return [{ set: cluster, fields: { text, ...(by === 'user' ? { byUser: true, updatedAt: time } : {}) } }];
    }
    case 'ClusterPinned':
      return [{ set: event.data.cluster, fields: { pinned: event.data.pinned, updatedAt: time } }];
    case 'ClusterRemoved':
      return [{ remove: event.data.cluster }];
    case 'ClustersClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    case 'ClustersRegrouped':
      return [];
  }
}

function counted(counts: readonly CountChange[], updatedAt: string): Write<ClusterDocument>[] {
  return counts.map(({ cluster, ...change }) => ({
    change: cluster,
    by: (doc) => doc && { ...doc, ...countsAfter(doc, change), updatedAt },
  }));
}

function merged(
  { into, from, counts }: { into: string; from: readonly string[]; counts: readonly CountChange[] },
  updatedAt: string,
): Write<ClusterDocument>[] {
  return [
    ...counted(counts, updatedAt),
    ...from.flatMap((cluster): Write<ClusterDocument>[] => [
      { setWhere: { mergedInto: cluster }, fields: { mergedInto: into } },
      { change: cluster, by: (doc) => doc && { ...doc, ...noCounts, text: null, mergedInto: into, updatedAt } },
    ]),
  ];
}

/** The clusters of all organizations. */
export const clusterDocuments = projection({
  name: 'issues_cluster',
  version: 1,
  entities: ['clusters'],
  events: [clusterEvents],
  indexes: [
    { key: { organization: 1, mergedInto: 1, updatedAt: -1, _id: -1 } },
    { key: { organization: 1, mergedInto: 1, issues: -1, _id: -1 } },
    { key: { organization: 1, mergedInto: 1, conversations: -1, _id: -1 } },
    { key: { mergedInto: 1 } },
  ],
  writes,
});
