import type { ServiceContext } from '@scriptorium/platform';
import { domainOf, ownsDomain } from '../members/join-by-domain.js';
import { adminAddresses } from '../members/admin-addresses.queries.js';
import { members } from '../members/member.projection.js';
import { organizations } from '../organizations/organization.projection.js';
import { users } from '../users/user.projection.js';
import { isWithoutSSO } from './sso.queries.js';

/**
 * Whether somebody has to sign in through an organization's provider, and no password or link will do. That is so where an
 * organization that enforces it has connected them, and they need no other way in: not to connect, not as an admin who may have to
 * recover it, not as an operator, and not for another organization, unless the address that they sign in with is of a domain of
 * the organization's own. Otherwise anybody could lock people out of the rest of the installation by making them a member.
 */
export async function isSignInClosed(context: ServiceContext, user: string): Promise<boolean> {
  const { store } = context;
  const person = await store.collection(users).byId(user);
  if (person === null || person.operator) return false;
  const places = await store.collection(members).find({ user, disabled: false }).toArray();
  const enforcing = (await store.collection(organizations).byIds(places.map(({ organization }) => organization))).filter(({ sso }) => sso);
  const closing = [];
  for (const doc of enforcing) {
    const place = places.find(({ organization }) => organization === doc._id);
    if (place === undefined || place.role === null || place.role === 'admin' || (await isWithoutSSO(store, doc, place))) continue;
    closing.push({ organization: doc._id, emailDomains: doc.emailDomains });
  }
  if (closing.length === 0 || closing.length === places.length) return closing.length > 0;
  const owned = await Promise.all(
    closing.map(async ({ organization, emailDomains }) => ownsDomain(domainOf(person.email), { emailDomains, admins: await adminAddresses(context, organization) })),
  );
  return owned.includes(true);
}
