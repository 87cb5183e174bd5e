import { mailNotifications, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { isDigestSent, queueMail } from './mail.timer.js';

/** Mail that other services have sent. They name people by id: addresses do not leave identity. */
@Controller()
export class MailController {
  @Handles(mailNotifications)
  async notifications(
    { id, ...about }: z.output<typeof mailNotifications.input>,
    call: Call<Principal | null>,
  ): Promise<{ queued: boolean }> {
    const job = `digest-${id}`;
    // A digest is asked for again when the answer was lost. A waiting one is replaced; one that was sent is not sent
    // again.
    if (await isDigestSent(call, job)) return { queued: false };
    await queueMail(call, job, { about: 'notifications', ...about });
    return { queued: true };
  }
}
