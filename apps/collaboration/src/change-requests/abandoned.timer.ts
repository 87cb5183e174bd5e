import { AppError } from '@scriptorium/contracts';
import { reactor, type Reactor, type TimerHandler } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { changeRequestEvents } from '../events/index.js';
import { scheduleDrop } from '../texts/index.js';
import { changeRequests } from './change-request.projection.js';
import { abandon, changeRequest } from './change-request.js';

/** The command of the timers that give up change requests whose creation broke off. */
export const abandonCommand = 'abandon_change_request';

/** Longer than any request that creates one takes, ms. */
const afterMs = 3_600_000;

const Begun = z.object({ space: z.string(), id: z.string() });

/** The creation of a change request may break off before it has a number. Then nobody sees it, and it is given up an hour later. */
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
  // The read model has its number or will not get one: an hour has passed. One that is stopped answers nothing yet.
  if (!store.isLive([changeRequests])) throw new AppError('unavailable');
  const doc = await store.read(changeRequests).byId(id);
  if (doc === null || doc.number !== null) return;
  await store.within({ space, changeRequest: id }).handle(changeRequest, id, abandon);
};
