import type { Scope } from '@scriptorium/platform';
import { invitationMark, queueMail } from '../../mail/index.js';

/** Writes to an invited person once more, unless they or who invites have had or sent too many letters. */
export async function remindInvited(scope: Scope, invite: string, by: string): Promise<void> {
  await queueMail(scope, invitationMark(invite), { about: 'invite', invite, by, again: true });
}
