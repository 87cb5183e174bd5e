import type { Scope } from '@scriptorium/platform';
import { domainOf, domainOwner, ownsDomain } from '../../organizations/index.js';
import { isWithoutSSO, members, organizations, users } from '../../organization-read-models/index.js';

/**
 * Whether password and link are closed for a person, so that they have to sign in through an organization's provider.
 * All of this must hold:
 * - An active organization with enforced single sign-on has them as a member, who is neither a guest nor an admin.
 * - They connected its provider from a session of their own, or it created their account. What admins do without them
 * does not count: otherwise anybody could lock people out by making them a member.
 * - They are no operator, and in no other organization, unless the address that they sign in with is of a domain that
 * the enforcing organization owns.
 */
export async function isSignInClosed(scope: Scope, user: string): Promise<boolean> {
  const { store } = scope;
  const person = await store.read(users).byId(user);
  if (person === null || person.operator) return false;
  const places = await store.read(members).find({ user, disabled: false, accepted: true }).toArray();
  const enforcing = (await store.read(organizations).byIds(places.map(({ organization }) => organization))).filter(
    ({ sso }) => sso,
  );
  const closing = [];
  for (const doc of enforcing) {
    const place = places.find(({ organization }) => organization === doc._id);
    if (place === undefined || place.role === null || place.role === 'admin') continue;
    if (await isWithoutSSO(store, doc, { ...place, providers: place.ownProviders })) continue;
    closing.push(doc);
  }
  if (closing.length === 0 || closing.length === places.length) return closing.length > 0;
  const owned = await Promise.all(
    closing.map(async (doc) => ownsDomain(domainOf(person.email), await domainOwner(scope, doc))),
  );
  return owned.includes(true);
}
