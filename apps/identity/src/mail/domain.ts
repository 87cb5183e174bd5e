import { join } from 'node:path';
import { defineDomain, type Domain } from '@scriptorium/platform';
import { InvitationPace } from './invitation-pace.process.js';
import { MailController } from './mail.controller.js';
import { sendMail } from './mail-job.js';
import { MailFiles } from './mail-files.store.js';
import { mailReactor } from './mail.reactor.js';
import { mailSettings } from './mail.settings.js';
import { mailHandler, type MailWriters } from './mail.timer.js';
import { createMailer } from './mailer.transport.js';

/** The queue of mail jobs, and how mail is sent. `writers`: the functions of other domains that write the mails. */
export function mail(writers: MailWriters): Domain {
  return defineDomain({
    name: 'mail',
    settings: mailSettings,
    controllers: [MailController],
    objects: ({ context, settings }) => [
      new MailFiles(context, join(settings.DATA_DIR, 'outbox')),
      new InvitationPace(settings.INVITATION_MAILS_PER_DAY),
    ],
    reactors: ({ context }) => [mailReactor(context)],
    timers({ context, settings, use }) {
      const mailer = createMailer(context, { smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM }, use(MailFiles));
      return { [sendMail]: mailHandler(context, { mailer, pace: use(InvitationPace) }, writers) };
    },
  });
}
