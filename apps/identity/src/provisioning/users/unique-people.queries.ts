import { derivedId, type Scope } from '@scriptorium/platform';
import { erasure, user as account } from '../../accounts/index.js';
import { provisionedKey, provisionedUsers, users } from '../../organization-read-models/index.js';
import { refusal } from '../protocol/refusal.js';
import { findPeople, idsOfName, userNameOfPerson } from './users.queries.js';

/**
 * Whether the request that was to make a person a member was interrupted: they have the name, and have never become
 * one.
 */
export async function findUnfinished(
  { store }: Scope,
  organization: string,
  { id, userName }: { id: string; userName: string },
): Promise<boolean> {
  const doc = await store.read(provisionedUsers).byId(provisionedKey(organization, id));
  return doc?.joining === true && doc.membership === 'none' && doc.userNameKey === userName.toLowerCase();
}

/** @throws AppError `already_exists` when another user of the organization than `own` has the name */
export async function requireFreeName(
  scope: Scope,
  organization: string,
  userName: string,
  own: string | undefined,
): Promise<void> {
  const key = userName.toLowerCase();
  const ids = (await idsOfName(scope, organization, key)).filter((id) => id !== own);
  const people = await findPeople(scope, organization, ids);
  if (people.some((person) => userNameOfPerson(person).toLowerCase() === key))
    throw refusal('uniqueness', `userName: another user has the name ${userName}`);
}

/** @throws AppError `already_exists` when another user of the organization than `own` has the address */
export async function requireFreeAddress(
  scope: Scope,
  organization: string,
  email: string,
  own: string | undefined,
): Promise<void> {
  const known = await scope.store.read(users).find({ email }).project<{ _id: string }>({ _id: 1 }).toArray();
  const ids = known.map(({ _id }) => _id).filter((id) => id !== own);
  if ((await findPeople(scope, organization, ids)).length > 0)
    throw refusal('uniqueness', `emails: another user has the address ${email}`);
}

/**
 * The id of the account that the provider makes for an address: the same as before if it deleted the user, until the
 * account was erased or somebody has proved the address.
 */
export async function newPersonId({ store }: Scope, organization: string, email: string): Promise<string> {
  for (let number = 0; ; number += 1) {
    const id = derivedId('scim person', organization, email, String(number));
    if ((await store.load(erasure, id)).status === 'erased') continue;
    const state = await store.load(account, id);
    if (state.status === 'absent' || !state.emailVerified) return id;
  }
}
