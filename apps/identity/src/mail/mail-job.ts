import * as z from 'zod';

/** What a mail is about, by ids. Name and address are looked up when it is written, so neither waits in the queue. */
export const MailJob = z.discriminatedUnion('about', [
  z.object({ about: z.literal('link'), link: z.string() }),
  z.object({
    about: z.literal('invite'),
    invite: z.string(),
    /** Who invites; timers of earlier versions do not say it. */
    by: z.string().optional(),
    /** The address has had a letter about the invitation: one that comes too early is left out. */
    again: z.boolean().optional(),
  }),
  z.object({ about: z.literal('password'), user: z.string() }),
  z.object({ about: z.literal('token'), user: z.string(), label: z.string() }),
]);
export type MailJob = z.output<typeof MailJob>;

/** The stored data of a timer. The field `errand` keeps its name: timers of earlier versions have it. */
export const QueuedJob = z.object({ errand: MailJob, tries: z.int().min(0) });

/** The command of the timers that send a mail. Timers are stored: each mail is sent by one replica, at least once. */
export const sendMail = 'send_mail';

/** The mark of all mail about an invitation: part of the ids of jobs and of the names of files. */
export function invitationMark(invite: string): string {
  return `invite-${invite}`;
}
