import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { changeProfile, endSessions, user as person } from '../../accounts/index.js';
import { asPerson, domainOf, domainOwner, ownsDomain } from '../../organizations/index.js';
import {
  members,
  organizations,
  provisionedUsers,
  type UserDocument,
  users,
} from '../../organization-read-models/index.js';
import { findPassword } from '../passwords/passwords.operational.js';
import { endLinks } from './links.operational.js';

type Account = Pick<Stored<UserDocument>, '_id' | 'email' | 'emailVerified'>;

/**
 * Whether a provider has made an account that does not answer for its address: nobody has proved the address, and the
 * organization of the provider does not own its domain. Such a provider can name anybody's address, and any name.
 */
export async function isMadeByForeignProvider(
  scope: Scope,
  { _id: id, email, emailVerified }: Account,
): Promise<boolean> {
  if (emailVerified || (await findPassword(scope, id)) !== null) return false;
  const { store } = scope;
  const places = await Promise.all([
    store
      .read(members)
      .find({ user: id, ownProviders: { $ne: [] } })
      .toArray(),
    store.read(provisionedUsers).find({ user: id, created: true }).toArray(),
  ]);
  if (places.flat().length === 0) return false;
  const own = await store.read(organizations).byIds(places.flat().map(({ organization }) => organization));
  const owning = await Promise.all(own.map(async (doc) => ownsDomain(domainOf(email), await domainOwner(scope, doc))));
  return !owning.includes(true);
}

/**
 * The account is from now on that of the person who has proved its address: what the provider began with it ends, and
 * they are not listed under the name that it gave. Safe to repeat.
 */
export async function takeOver(scope: Scope, { id, displayName }: { id: string; displayName: string }): Promise<void> {
  await endSessions(scope, id);
  const own = asPerson(scope, id);
  await own.store.handle(person, id, (state) => changeProfile(state, { displayName }));
}

/**
 * Ends the sessions and unused links of the accounts that providers of other organizations have made under an address
 * that somebody has proved, and returns their users. Safe to repeat.
 */
export async function endForeignAccounts(
  scope: Scope,
  { owner, email }: { owner: string; email: string },
): Promise<string[]> {
  const others = scope.store
    .read(users)
    .find({ email: email.toLowerCase(), emailVerified: false, _id: { $ne: owner } });
  const ended: string[] = [];
  for (const account of await others.toArray()) {
    if (!(await isMadeByForeignProvider(scope, account))) continue;
    await endSessions(scope, account._id);
    await endLinks(scope, account._id);
    ended.push(account._id);
  }
  return ended;
}
