import { projection } from '@scriptorium/event-sourcing';
import { branchEvents, libraryEvents } from '../events/index.js';

const opened = branchEvents.pick('BranchOpened');
const purged = libraryEvents.pick('SpacePurged');

/** The branches of change requests, until nothing is left of their space: those that a purge has to erase. */
export const requestBranches = projection<{ space: string }, [typeof opened, typeof purged]>({
  name: 'request_branch',
  version: 1,
  entities: ['content.branch', 'content.library'],
  events: [opened, purged],
  indexes: [{ key: { space: 1, _id: 1 } }],
  writes(event) {
    const { space } = event.data;
    if (event.type === 'SpacePurged') return [{ removeWhere: { space } }];
    return event.data.from === null ? [] : [{ put: event.entityId, doc: { space } }];
  },
});
