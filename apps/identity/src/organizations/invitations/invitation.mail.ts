import type { Scope } from '@scriptorium/platform';
import { invitationMail, type Mail, pageURL } from '../../mail/index.js';
import { organizations } from '../../organization-read-models/index.js';
import { invite } from './invite.js';

/** The mail to an invited person; null when the invitation is over. */
export async function writeInvitationMail(scope: Scope, { invite: id }: { invite: string }): Promise<Mail | null> {
  const terms = await scope.store.load(invite, id);
  if (terms.status !== 'pending') return null;
  const organization = await scope.store.read(organizations).byId(terms.organization);
  return organization === null
    ? null
    : invitationMail(terms.email, { organization: organization.title, url: pageURL(scope, '/sign-in#link') });
}
