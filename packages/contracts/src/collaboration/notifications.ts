import * as z from 'zod';
import { Id, listOf, paging } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { Notification, NotificationCursor, NotificationSettings, notificationSettingsChange } from './notification.js';

const base = { service: 'collaboration', tag: 'Notifications' } as const;
const own = { resource: 'installation', view: ['anyone'], allow: ['anyone'] } as const;
const member = { resource: 'organization', view: ['guest'], allow: ['guest'] } as const;
const organizationParams = z.object({ organizationId: Id });
const settingsPath = '/orgs/{organizationId}/notification-settings';

export const listNotifications = operation({
  ...base,
  id: 'listNotifications',
  method: 'GET',
  path: '/user/notifications',
  summary: 'List or follow the notifications of the caller: the newest first, or behind a cursor the oldest first',
  access: { ...own, scope: 'user:read' },
  query: z.object({
    ...paging,
    unread: z.boolean().default(false).meta({ description: 'Only those that are unread.' }),
    after: z
      .union([NotificationCursor, z.literal('now')])
      .optional()
      .meta({
        description:
          'Cursor from an item, or from `next.page` of a list with `after`; `now` for what comes. The list is then the oldest first, and always has `next`.',
      }),
  }),
  response: listOf(Notification).extend({
    more: z.boolean().optional().meta({ description: 'With `after`: there is more already.' }),
  }),
  // A stream begins with the oldest notification unless the client names a cursor.
  stream: { after: 'after', begin: '0' },
});

export const markNotificationRead = operation({
  ...base,
  id: 'markNotificationRead',
  method: 'POST',
  path: '/user/notifications/{notificationId}/read',
  summary: 'Mark a notification of the caller as read',
  access: own,
  params: z.object({ notificationId: Id }),
  dryRun: false,
});

export const markAllNotificationsRead = operation({
  ...base,
  id: 'markAllNotificationsRead',
  method: 'POST',
  path: '/user/notifications/read',
  summary: 'Mark all notifications of the caller as read',
  access: own,
  dryRun: false,
});

export const getNotificationSettings = operation({
  ...base,
  id: 'getNotificationSettings',
  method: 'GET',
  path: settingsPath,
  summary: 'Get what the caller is notified of in an organization',
  access: { ...member, scope: 'organization:read' },
  params: organizationParams,
  response: NotificationSettings,
});

export const updateNotificationSettings = operation({
  ...base,
  id: 'updateNotificationSettings',
  method: 'PATCH',
  path: settingsPath,
  summary: 'Change what the caller is notified of in an organization',
  access: { ...member, scope: 'organization:write' },
  params: organizationParams,
  body: z.object(notificationSettingsChange),
  response: NotificationSettings,
  dryRun: false,
});
