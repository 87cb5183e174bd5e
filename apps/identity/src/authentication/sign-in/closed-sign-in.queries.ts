import type { Scope } from '@scriptorium/platform';
import {
  domainOf,
  domainOwner,
  isWithoutSSO,
  members,
  organizations,
  ownsDomain,
  users,
} from '../../read-models/index.js';

/**
 * Whether somebody has to sign in through an organization's provider, and no password or link will do. That is so where an
 * organization enforces it, they have connected its provider from a session of their own, or it has created their account, and
 * they need no other way in: not as an admin who may have to recover it, not as an operator, and not for another organization,
 * unless the address that they sign in with is of a domain of the organization's own. What admins do without them does not
 * count: otherwise anybody could lock people out of the installation by making them a member.
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
