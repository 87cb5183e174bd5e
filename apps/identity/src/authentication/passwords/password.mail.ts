import type { Scope } from '@scriptorium/platform';
import { mailAddressOf } from '../../accounts/index.js';
import { type Mail, pageURL, passwordMail } from '../../mail/index.js';

/** The mail to a person whose password was changed. */
export async function writePasswordMail(scope: Scope, { user }: { user: string }): Promise<Mail | null> {
  const to = await mailAddressOf(scope, user);
  return to === null ? null : passwordMail(to, { url: pageURL(scope, '/sign-in#link') });
}
