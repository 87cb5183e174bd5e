import type { Scope } from '@scriptorium/platform';
import { type Mail, pageURL, tokenMail } from '../../mail/index.js';
import { mailAddressOf } from '../users/mail-address.queries.js';

/** The mail to a person for whom an operator made a token. */
export async function writeTokenMail(
  scope: Scope,
  { user, label }: { user: string; label: string },
): Promise<Mail | null> {
  const to = await mailAddressOf(scope, user);
  return to === null ? null : tokenMail(to, { label, url: pageURL(scope, '/sign-in') });
}
