import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { abandonment, branchEvents, spacePurge } from './content.events.js';

/** The newest revision of a branch: of the main content of a space, or of a change request. */
export interface BranchHeadDocument {
  space: string;
  revision: string | null;
}

const heads = branchEvents.pick('BranchOpened', 'RevisionCreated');

function writes({
  entityId: id,
  ...event
}: Recorded<
  EventOf<typeof heads> | EventOf<typeof spacePurge> | EventOf<typeof abandonment>
>): Write<BranchHeadDocument>[] {
  switch (event.type) {
    case 'BranchOpened': {
      const { space, from } = event.data;
      return [{ put: id, doc: { space, revision: from?.revision ?? null } }];
    }
    case 'RevisionCreated':
      return [{ set: id, fields: { revision: event.data.revision } }];
    case 'ChangeRequestAbandoned':
      return [{ remove: id }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
  }
}

/** The heads of all branches. The id of a branch is that of its space or change request. */
export const branchHeads = projection({
  name: 'branch_head',
  version: 2,
  entities: ['content.branch', 'content.library', 'request'],
  events: [heads, spacePurge, abandonment],
  indexes: [{ key: { space: 1 } }],
  writes,
});
