import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { branch } from '../branches/index.js';
import { branchEvents } from '../events/index.js';
import { library, nodeIn } from './library.js';

/** The branch of a change request that was opened at the moment in which its space was purged is removed. */
export const lateBranchesReactor: Reactor = reactor({
  name: 'late_branches',
  entities: ['branch'],
  events: [branchEvents.pick('BranchOpened')],
  react: async ({ entityId: id, data: { space, from }, meta: { organization } }, store) => {
    if (from === null || organization === null) return;
    const { state } = await store.in(organization).handle(library, organization, () => []);
    if (nodeIn(state, space) === undefined) await store.erase(branch, id);
  },
});
