import { reactor, type Reactor, type TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive, requireVisible } from '@scriptorium/platform';
import * as z from 'zod';
import { changeRequestEvents } from './change-request.events.js';
import { scheduleDrop } from '../texts/index.js';
import { changeRequests } from './list/change-request.projection.js';
import { abandon, changeRequest } from './lifecycle/change-request.js';
import { numbers } from './lifecycle/numbers.js';

/** The command of the timers that give up change requests whose creation broke off. */
export const abandonCommand = 'abandon_change_request';

/** Longer than any request that creates one takes, ms. */
const afterMs = 3_600_000;

const Begun = z.object({ space: z.string(), id: z.string() });

/**
 * The creation of a change request may break off before it has a number. Then nobody sees it, and it is given up an
 * hour later.
 */
export const begunRequestsReactor: Reactor = reactor({
  name: 'begun_change_requests',
  entities: ['request'],
  events: [changeRequestEvents.pick('ChangeRequestCreated', 'ChangeRequestAbandoned')],
  react: async ({ type, data: { space }, entityId: id, meta: { time } }, store) => {
    if (type === 'ChangeRequestAbandoned') return scheduleDrop(store, { space, owner: id }, time);
    const data: z.input<typeof Begun> = { space, id };
    const at = Date.parse(time) + afterMs;
    await store.schedule({ id: `${abandonCommand}:${id}`, at, command: abandonCommand, data });
  },
});

export const abandonTimer: TimerHandler = async ({ data }, store) => {
  const { space, id } = Begun.parse(data);
  // The read model has its number once it has the newest one of the space, since an hour has passed.
  requireLive(store, [changeRequests]);
  await requireVisible(store, await store.within({ space }).handle(numbers, space, () => [], { wait: false }));
  const doc = await store.read(changeRequests).byId(id);
  if (doc === null || doc.number !== null) return;
  await store.within({ space, changeRequest: id }).handle(changeRequest, id, abandon);
};
