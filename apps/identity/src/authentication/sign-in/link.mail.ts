import type { Scope } from '@scriptorium/platform';
import { mailAddressOf } from '../../accounts/index.js';
import { linkMail, type Mail, pageURL } from '../../mail/index.js';
import { invite } from '../../organizations/index.js';
import { linkLifeMs, linkCode, openLink, type LinkDocument } from './links.operational.js';

/** The mail with a sign-in link. Null when the link no longer works, or nobody has the address. */
export async function writeLinkMail(scope: Scope, { link: id }: { link: string }): Promise<Mail | null> {
  const link = await openLink(scope, id);
  const text = link === null ? null : linkCode(scope, link);
  if (link === null || text === null) return null;
  const to = await recipientOf(scope, link);
  const url = `${pageURL(scope, '/sign-in/link')}?link=${text}`;
  return to === null ? null : linkMail(to, { url, purpose: link.purpose, minutes: linkLifeMs / 60_000 });
}

async function recipientOf(scope: Scope, link: LinkDocument): Promise<string | null> {
  if (link.user !== null) return mailAddressOf(scope, link.user);
  if (link.invite === null) return null;
  const terms = await scope.store.load(invite, link.invite);
  return terms.status === 'pending' ? terms.email : null;
}
