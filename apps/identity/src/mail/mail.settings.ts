import * as z from 'zod';

/** How mail leaves the installation. */
export const mailSettings = {
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//)
    .optional()
    .describe(
      'Mail server, `smtp://user:password@host:port`, `smtps://` for TLS from the start; unset: mail is written to `DATA_DIR/outbox`',
    ),
  MAIL_FROM: z.string().min(3).max(320).default('Scriptorium <no-reply@localhost>').describe('Sender of mail'),
  INVITATION_MAILS_PER_DAY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .describe(
      'Mails about invitations that one user can cause in a day, in all organizations together, and one organization, by all its admins together. Further ones are sent later, at even distances',
    ),
  DATA_DIR: z.string().min(1).default('./.data').describe('Folder whose `outbox` holds the mail that is not sent'),
} as const;
