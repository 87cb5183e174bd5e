import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { requestAbandonment } from './consumed.events.js';
import { branch } from './branch.js';

/** Nothing is left of the branch of a change request whose creation broke off. */
export const abandonedBranchesReactor: Reactor = reactor({
  name: 'branches_of_abandoned_requests',
  entities: ['collaboration.request'],
  events: [requestAbandonment],
  react: ({ entityId: id }, store) => store.erase(branch, id),
});
