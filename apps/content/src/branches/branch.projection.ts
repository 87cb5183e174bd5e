import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { branchEvents, libraryEvents, type BranchEvent } from '../events/index.js';
import type { Head } from './branch.js';

/** Where a branch is. */
export interface BranchDocument {
  space: string;
  pool: string;
  head: Head | null;
}

/** Purged spaces have no branches any more. */
const purging = libraryEvents.pick('SpacePurgeBegan', 'SpacePurged');

function writes({ entityId: id, ...event }: Recorded<BranchEvent | EventOf<typeof purging>>): Write<BranchDocument>[] {
  switch (event.type) {
    case 'BranchOpened': {
      const { space, pool, from } = event.data;
      return [{ put: id, doc: { space, pool, head: from === null ? null : { ...from, number: 0 } } }];
    }
    case 'RevisionCreated': {
      const { revision, tree, number } = event.data;
      return [{ set: id, fields: { head: { revision, tree, number } } }];
    }
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
  }
}

/** The heads of all branches: what reads of present content begin with, and the only read model that a write of content waits for. */
export const branches = projection({
  name: 'branch',
  version: 1,
  entities: ['content.branch', 'content.library'],
  events: [branchEvents, purging],
  history: { of: 'content.branch' },
  indexes: [{ key: { space: 1 } }, { key: { pool: 1 } }],
  writes,
});
