import { mailAddressOf } from '../../accounts/index.js';
import { notificationsMail, type Mail, type NamedNotification } from '../../mail/index.js';
import { memberKey, members, organizations, users } from '../../organization-read-models/index.js';
import type { Scope } from '@scriptorium/platform';

interface Digest {
  organization: string;
  user: string;
  items: readonly (Omit<NamedNotification, 'actor' | 'number'> & {
    actor?: string | undefined;
    number?: number | undefined;
  })[];
  more: number;
  wanted: boolean;
}

/**
 * The mail to a member with what they have not read. Null for who is no active member any more, has neither accepted
 * the membership nor wanted the mail, has not verified the address, or is a service account.
 */
export async function writeNotificationsMail(
  scope: Scope,
  { organization: id, user, items, more, wanted }: Digest,
): Promise<Mail | null> {
  const { store, urls } = scope;
  const [to, organization, member, person] = await Promise.all([
    mailAddressOf(scope, user),
    store.read(organizations).byId(id),
    store.read(members).byId(memberKey(id, user)),
    store.read(users).byId(user),
  ]);
  if (to === null || organization === null || member === null || person === null) return null;
  if (member.disabled || !(member.accepted || wanted) || !person.emailVerified) return null;
  const actors = items.flatMap(({ actor }) => (actor === undefined ? [] : [actor]));
  const names = new Map((await store.read(users).byIds(actors)).map((one) => [one._id, one.displayName]));
  const named = items.map(({ actor, number, ...item }) => ({
    ...item,
    number,
    actor: actor === undefined ? undefined : (names.get(actor) ?? 'Deleted user'),
  }));
  const url = `${urls.app}/o/${id}`;
  return notificationsMail(to, { organization: organization.title, items: named, more, url });
}
