import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { branchEvents, type BranchEvent } from './branch.events.js';
import { requestAbandonment, spacePurges } from './consumed.events.js';
import { afterBranchEvent, type OpenBranch } from './branch-state.js';

/** Where a branch is. */
export type BranchDocument = OpenBranch;

type Consumed = BranchEvent | EventOf<typeof spacePurges> | EventOf<typeof requestAbandonment>;

function writes({ entityId: id, ...event }: Recorded<Consumed>): Write<BranchDocument>[] {
  if (event.type === 'ChangeRequestAbandoned') return [{ remove: id }];
  if (event.type === 'SpacePurgeBegan' || event.type === 'SpacePurged')
    return [{ removeWhere: { space: event.data.space } }];
  return [{ change: id, by: (doc) => afterBranchEvent(doc, event) }];
}

/**
 * The heads of all branches: what reads of present content begin with, and the only read model that a write of content
 * waits for.
 */
export const branches = projection({
  name: 'branch',
  version: 3,
  entities: ['content.branch', 'content.library', 'collaboration.request'],
  events: [branchEvents, spacePurges, requestAbandonment],
  history: { of: 'content.branch' },
  indexes: [{ key: { space: 1 } }, { key: { pool: 1 } }],
  writes,
});
