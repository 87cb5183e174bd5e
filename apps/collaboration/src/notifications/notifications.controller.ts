import { ServiceAccess } from '@scriptorium/access';
import {
  getNotificationSettings,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  updateNotificationSettings,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { inboxOf, positionOf, requireNotification } from './inbox/inbox.queries.js';
import { notifications } from './notices/notification.projection.js';
import { followInbox, listInbox } from './inbox/notifications.queries.js';
import { markAllRead, markRead } from './inbox/read-marks.operational.js';
import { changeSettings, settingsOf } from './settings.operational.js';

@Controller()
export class NotificationsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listNotifications)
  async list({ query }: InputOf<typeof listNotifications>, call: Call) {
    const { after, ...request } = query;
    const inbox = await inboxOf(call, this.access, call.principal);
    return after === undefined
      ? listInbox(call, inbox, { ...request, operation: call.operation, user: call.principal.id })
      : followInbox(call, inbox, { ...request, after });
  }

  @Handles(markNotificationRead)
  async markRead({ params }: InputOf<typeof markNotificationRead>, call: Call): Promise<void> {
    const inbox = await inboxOf(call, this.access, call.principal);
    const doc = await requireNotification(call, inbox, params.notificationId);
    await markRead(call, { user: call.principal.id, id: doc._id, position: positionOf(doc) });
  }

  @Handles(markAllNotificationsRead)
  async markAllRead(_input: InputOf<typeof markAllNotificationsRead>, call: Call): Promise<void> {
    await markAllRead(call, call.principal.id, await call.store.written(notifications));
  }

  @Handles(getNotificationSettings)
  settings({ params }: InputOf<typeof getNotificationSettings>, call: Call) {
    return settingsOf(call, { organization: params.organizationId, user: call.principal.id });
  }

  @Handles(updateNotificationSettings)
  async changeSettings({ params, body }: InputOf<typeof updateNotificationSettings>, call: Call) {
    const person = { organization: params.organizationId, user: call.principal.id };
    await changeSettings(call, person, body);
    return settingsOf(call, person);
  }
}
