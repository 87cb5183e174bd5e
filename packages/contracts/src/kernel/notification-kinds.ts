import * as z from 'zod';

/** What notifications are about. */
export const notificationKinds = [
  'review_requested',
  'review_submitted',
  'mentioned',
  'comment_replied',
  'comment_on_yours',
  'change_request_merged',
  'change_request_conflicts',
  'invited',
] as const;
export const NotificationKind = z.enum(notificationKinds).meta({ id: 'NotificationKind' });
export type NotificationKind = z.output<typeof NotificationKind>;

/** The most notifications that one digest names. */
export const mailedNotifications = 20;
