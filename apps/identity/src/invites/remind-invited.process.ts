import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import { markOfInvite, queueLetter } from '../mail/mail.timer.js';
import { countTry } from '../sign-in/attempts.operational.js';

/** Writes to an invited person once more, but not on and on: what comes too early is left out. */
export async function remindInvited(context: ServiceContext, invite: string, correlation: string): Promise<void> {
  try {
    await countTry(context, { kind: 'invitation', of: invite });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'rate_limited') return;
    throw error;
  }
  await queueLetter(context, markOfInvite(invite), { about: 'invite', invite }, correlation);
}
