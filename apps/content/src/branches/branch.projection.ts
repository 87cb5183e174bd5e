import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { branchEvents, libraryEvents, requestAbandonment, type BranchEvent } from '../events/index.js';
import { afterBranchEvent, type OpenBranch } from './branch-state.js';

/** Where a branch is. */
export type BranchDocument = OpenBranch;

/** Purged spaces have no branches any more. */
const purging = libraryEvents.pick('SpacePurgeBegan', 'SpacePurged');

type Consumed = BranchEvent | EventOf<typeof purging> | EventOf<typeof requestAbandonment>;

function writes({ entityId: id, ...event }: Recorded<Consumed>): Write<BranchDocument>[] {
  if (event.type === 'ChangeRequestAbandoned') return [{ remove: id }];
  if (event.type === 'SpacePurgeBegan' || event.type === 'SpacePurged')
    return [{ removeWhere: { space: event.data.space } }];
  return [{ change: id, by: (doc) => afterBranchEvent(doc, event) }];
}

/** The heads of all branches: what reads of present content begin with, and the only read model that a write of content waits for. */
export const branches = projection({
  name: 'branch',
  version: 3,
  entities: ['content.branch', 'content.library', 'collaboration.request'],
  events: [branchEvents, purging, requestAbandonment],
  history: { of: 'content.branch' },
  indexes: [{ key: { space: 1 } }, { key: { pool: 1 } }],
  writes,
});
