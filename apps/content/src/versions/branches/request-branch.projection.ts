import { projection } from '@scriptorium/event-sourcing';
import { branchEvents } from './branch.events.js';
import { requestAbandonment, spacePurges } from './consumed.events.js';

const opened = branchEvents.pick('BranchOpened');
const purged = spacePurges.pick('SpacePurged');

/** The branches of change requests, until nothing is left of their space: those that a purge has to erase. */
export const requestBranches = projection<{ space: string }, [typeof opened, typeof purged, typeof requestAbandonment]>(
  {
    name: 'request_branch',
    version: 2,
    entities: ['content.branch', 'content.library', 'collaboration.request'],
    events: [opened, purged, requestAbandonment],
    indexes: [{ key: { space: 1, _id: 1 } }],
    writes(event) {
      const { space } = event.data;
      if (event.type === 'ChangeRequestAbandoned') return [{ remove: event.entityId }];
      if (event.type === 'SpacePurged') return [{ removeWhere: { space } }];
      return event.data.from === null ? [] : [{ put: event.entityId, doc: { space } }];
    },
  },
);
