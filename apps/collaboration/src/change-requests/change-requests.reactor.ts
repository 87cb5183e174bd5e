import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { changeRequestEvents } from './change-request.events.js';
import { scheduleDrop } from '../texts/index.js';

/** The text of a change request before a change is deleted. */
export const describedRequestsReactor: Reactor = reactor({
  name: 'texts_of_described_requests',
  entities: ['request'],
  events: [changeRequestEvents.pick('ChangeRequestDescribed')],
  react: async ({ data: { space, previous }, entityId: owner, meta }, store) => {
    if (previous !== null) await scheduleDrop(store, { space, owner, text: previous }, meta.time);
  },
});
