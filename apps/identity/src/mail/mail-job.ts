import { NotificationKind } from '@scriptorium/contracts';
import * as z from 'zod';

/** What a mail is about, by ids. Name and address are read when the mail is written, so the queue contains neither. */
export const MailJob = z.discriminatedUnion('about', [
  z.object({ about: z.literal('link'), link: z.string() }),
  z.object({
    about: z.literal('invite'),
    invite: z.string(),
    /** The user who invites. Timers of earlier versions do not have it. */
    by: z.string().optional(),
    /** Where to. Timers of earlier versions do not have it. */
    organization: z.string().optional(),
    /** Whether a mail about the invitation was sent before. A repeated one is dropped when it comes too early. */
    again: z.boolean().optional(),
  }),
  z.object({ about: z.literal('password'), user: z.string() }),
  z.object({ about: z.literal('token'), user: z.string(), label: z.string() }),
  z.object({
    about: z.literal('notifications'),
    organization: z.string(),
    user: z.string(),
    items: z.array(
      z.object({ kind: NotificationKind, actor: z.string().optional(), number: z.int().optional(), url: z.string() }),
    ),
    more: z.int(),
    wanted: z.boolean(),
  }),
]);
export type MailJob = z.output<typeof MailJob>;

/** The stored data of a timer. The job is in the field `errand`, as in timers of earlier versions. */
export const QueuedJob = z.object({
  errand: MailJob,
  tries: z.int().min(0),
  /** Whether it has taken its turn among the mails of its sender and organization. */
  turn: z.boolean().optional(),
});

/** The command of the timers that send a mail. Each mail is sent by one replica, at least once. */
export const sendMail = 'send_mail';

/** The mark of all mail about an invitation. It is part of the ids of jobs and of file names. */
export function invitationMark(invite: string): string {
  return `invite-${invite}`;
}
