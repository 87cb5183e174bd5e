import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { digestIndexes } from './digests/digests.operational.js';
import { digestsCommand, digestsTimer } from './digests/digests.timer.js';
import { forgottenPeopleReactor } from './forget-people.reactor.js';
import { notifications as notificationDocs } from './notices/notification.projection.js';
import { NotificationsController } from './notifications.controller.js';
import { notifiedPeopleReactor } from './notifications.reactor.js';
import { notificationSettings } from './notifications.settings.js';
import { readMarkIndexes } from './inbox/read-marks.operational.js';
import { expiryCommand, expiryTimer } from './notices/retention.timer.js';
import { settingsIndexes } from './settings.operational.js';

/** What people are told: the inbox, what they have read, what they want to be told of, and digests by mail. */
export const notifications = defineDomain({
  name: 'notifications',
  settings: notificationSettings,
  controllers: [NotificationsController],
  projections: [notificationDocs],
  reactors: ({ context, settings }) => [
    notifiedPeopleReactor(context, settings.DIGEST_HOUR),
    forgottenPeopleReactor(context),
  ],
  timers: ({ context, settings, use }) => ({
    [expiryCommand]: expiryTimer(context),
    [digestsCommand]: digestsTimer(context, use(ServiceAccess), settings.DIGEST_HOUR),
  }),
  indexes: { ...readMarkIndexes, ...settingsIndexes, ...digestIndexes },
});
