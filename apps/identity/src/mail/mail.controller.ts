import { AppError, mailNotifications } from '@scriptorium/contracts';
import { Controller, Handles, type InternalCall } from '@scriptorium/platform';
import type * as z from 'zod';
import { countAttempt } from '../shared/index.js';
import { queueMail } from './mail.timer.js';

/** Mail that other services have sent. They name people by id: addresses do not leave identity. */
@Controller()
export class MailController {
  @Handles(mailNotifications)
  async notifications(
    { id, ...about }: z.output<typeof mailNotifications.input>,
    call: InternalCall,
  ): Promise<{ queued: boolean }> {
    try {
      // A digest is asked for again when the answer was lost. It may have been mailed since.
      await countAttempt(call, { kind: 'digest', of: id });
    } catch (error) {
      if (error instanceof AppError && error.reason === 'rate_limited') return { queued: false };
      throw error;
    }
    await queueMail(call, `digest-${id}`, { about: 'notifications', ...about });
    return { queued: true };
  }
}
