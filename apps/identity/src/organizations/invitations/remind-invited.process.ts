import type { Scope } from '@scriptorium/platform';
import { invitationMark, queueMail } from '../../mail/index.js';

/** Sends another mail about an invitation, unless the recipient has got, or the sender has sent, too many. */
export async function remindInvited(
  scope: Scope,
  invite: string,
  { by, organization }: { by: string; organization: string },
): Promise<void> {
  await queueMail(scope, invitationMark(invite), { about: 'invite', invite, by, organization, again: true });
}
