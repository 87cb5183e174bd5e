import * as z from 'zod';
import { Id, Timestamp } from '../kernel/common.js';
import { embed } from '../kernel/embed.js';
import { User } from '../identity/people/users.js';
import { NotificationKind } from '../kernel/notification-kinds.js';

/** The position of a notification in the log, in the form of `Scriptorium-Position`. */
export const NotificationCursor = z.string().regex(/^\d{1,19}$/);

export const Notification = z
  .object({
    object: z.literal('notification'),
    id: Id,
    cursor: NotificationCursor.meta({ description: 'Goes on behind this notification.' }),
    kind: NotificationKind,
    createdAt: Timestamp,
    read: z.boolean(),
    actor: embed('user', User).optional().meta({ description: 'Who did it; absent if the product did.' }),
    organization: Id,
    space: Id.optional(),
    changeRequest: Id.optional(),
    comment: Id.optional(),
    reply: Id.optional(),
    review: Id.optional(),
    page: Id.optional(),
    urls: z.object({
      app: z.url(),
      location: z.url().meta({ description: 'What the notification is about: the nearest thing that has a path.' }),
    }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.input<typeof Notification>;

const Digests = z.enum(['off', 'daily']);

export const NotificationSettings = z
  .object({
    object: z.literal('notification-settings'),
    inbox: z.record(NotificationKind, z.boolean()).meta({ description: 'The kinds that the inbox and digests show.' }),
    email: Digests.meta({ description: 'Whether unread notifications are mailed, at most once a day.' }),
  })
  .meta({ id: 'NotificationSettings' });
export type NotificationSettings = z.output<typeof NotificationSettings>;

/** A change of settings: what is not named stays. */
export const notificationSettingsChange = {
  inbox: z.partialRecord(NotificationKind, z.boolean()).optional(),
  email: Digests.optional(),
};
