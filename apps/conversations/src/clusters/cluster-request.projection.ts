import { changeRequestEventSchemas, libraryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';

/** A change request that was created for a cluster. */
export interface ClusterRequestDocument {
  /** The cluster that it was created for, which may be merged into another one by now. */
  cluster: string;
  space: string;
  status: 'open' | 'archived' | 'merged';
  /** `null` unless it is merged. */
  mergedAt: string | null;
}

const requestEvents = defineEvents(changeRequestEventSchemas).pick(
  'ChangeRequestCreated',
  'ChangeRequestAbandoned',
  'ChangeRequestOpened',
  'ChangeRequestConvertedToDraft',
  'ChangeRequestArchived',
  'ChangeRequestReopened',
  'ChangeRequestMerged',
);
const purges = defineEvents(libraryEventSchemas).pick('SpacePurgeBegan', 'SpacePurged');

function writes({
  entityId: id,
  meta,
  ...event
}: Recorded<EventOf<typeof requestEvents> | EventOf<typeof purges>>): Write<ClusterRequestDocument>[] {
  switch (event.type) {
    case 'ChangeRequestCreated': {
      const { space, conversationsIssuesCluster: cluster } = event.data;
      return cluster === null ? [] : [{ put: id, doc: { cluster, space, status: 'open', mergedAt: null } }];
    }
    case 'ChangeRequestAbandoned':
      return [{ remove: id }];
    case 'ChangeRequestArchived':
      return [{ set: id, fields: { status: 'archived', mergedAt: null } }];
    case 'ChangeRequestMerged':
      return [{ set: id, fields: { status: 'merged', mergedAt: meta.time } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
    default:
      return [{ set: id, fields: { status: 'open', mergedAt: null } }];
  }
}

/** Change requests that were created for clusters. */
export const clusterRequests = projection({
  name: 'cluster_request',
  version: 1,
  entities: ['collaboration.request', 'content.library'],
  events: [requestEvents, purges],
  indexes: [{ key: { cluster: 1 } }, { key: { space: 1 } }],
  writes,
});
