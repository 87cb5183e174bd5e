import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { expectDigests } from './digests/digests.operational.js';
import { nextDigestTime, scheduleDigests } from './digests/digests.timer.js';
import { isToldToSome, noticeEvents } from './notices/notice.js';
import { notifications, notificationsIn } from './notices/notification.projection.js';
import { scheduleExpiry } from './notices/retention.timer.js';

/**
 * Tells gateways that people have a new notification, and has digests made of them. `hour`: that of digests. Events
 * before its first start are mailed to nobody.
 */
export function notifiedPeopleReactor(context: ServiceContext, hour: number): Reactor {
  return reactor({
    name: 'notified_people',
    entities: ['comment', 'request', 'content.branch', 'identity.roster'],
    events: Object.values(noticeEvents),
    from: 'now',
    async react(event, store) {
      if (!isToldToSome(event)) return;
      await waitForProjections({ store }, event, [notifications]);
      const told = await notificationsIn(store).find({ event: event.id }).toArray();
      if (told.length === 0) return;
      for (const { user } of told) context.announce(user, event.position);
      const due = nextDigestTime(context.now(), hour);
      await expectDigests(context, told, { due, position: event.position });
      await scheduleDigests(store, due);
      await scheduleExpiry(store, context.now());
    },
  });
}
