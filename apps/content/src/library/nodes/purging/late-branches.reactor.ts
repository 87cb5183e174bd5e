import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { branch, branchEvents } from '../../../versions/index.js';
import { isAnywhere } from '../transferring/whereabouts.queries.js';

/** The branch of a change request that was opened at the moment in which its space was purged is removed. */
export const lateBranchesReactor: Reactor = reactor({
  name: 'late_branches',
  entities: ['branch'],
  events: [branchEvents.pick('BranchOpened')],
  react: async ({ entityId: id, data: { space, from }, meta: { organization } }, store) => {
    if (from === null || organization === null) return;
    if (!(await isAnywhere(store, organization, space))) await store.erase(branch, id);
  },
});
