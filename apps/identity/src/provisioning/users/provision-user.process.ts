import { AppError, type Principal } from '@scriptorium/contracts';
import { type Call } from '@scriptorium/platform';
import {
  endProvisioning,
  nameProvisioned,
  type ProvisionedName,
  provisionedName,
  registerProvisioned,
  user as account,
  userNameOf,
  userNames,
} from '../../accounts/index.js';
import { detachMember, memberOf, roster } from '../../organizations/index.js';
import { leaveOrganization } from '../../teams/index.js';
import { refusal } from '../protocol/refusal.js';
import { addressOf, displayNameOf, type UserWish } from '../protocol/wishes.js';
import { admit, requireAdmittance, requireInactivePlace } from './admit.process.js';
import { findUnfinished, newPersonId, requireFreeAddress, requireFreeName } from './unique-people.queries.js';
import type { Person } from './users.queries.js';

/**
 * Creates a user whom the identity provider of an organization has, and makes them a member unless they are not
 * `active`. An account that somebody has elsewhere under the same address is not touched: the provider does not learn
 * of it. A request that was interrupted can be repeated: it makes the person a member whom the first one has named.
 * Returns the id.
 * @throws AppError `already_exists` for a name or address of the organization, `limit_reached`
 */
export async function createProvisionedUser(
  call: Call<Principal | null>,
  organization: string,
  wish: UserWish,
): Promise<string> {
  const { userName } = wish;
  const email = addressOf(wish);
  const id = await newPersonId(call, organization, email);
  const resumes = await findUnfinished(call, organization, { id, userName });
  const own = resumes ? id : undefined;
  await requireFreeName(call, organization, userName, own);
  await requireFreeAddress(call, organization, email, own);
  const joins = wish.active !== false;
  // Before anything is recorded, so that a refused request leaves nothing behind.
  if (joins) await requireAdmittance(call, organization, id);
  else await requireInactivePlace(call, organization);
  const name = { ...nameOf(organization, wish, true), ...(joins ? { joining: true } : {}) };
  const displayName = displayNameOf(wish);
  const personal = call.store.in(null);
  await withName(call, { id, name }, () =>
    personal.handle(account, id, (state) => {
      try {
        return registerProvisioned(state, { name, email, displayName, resumes });
      } catch (error) {
        // Another request has just created them.
        throw isTaken(error) ? refusal('uniqueness', `emails: another user has the address ${email}`) : error;
      }
    }),
  );
  if (joins) await join(call, organization, { id, userName });
  return id;
}

/** Makes a new user a member. Of several requests for one user, one does. @throws AppError `already_exists` */
async function join(
  call: Call<Principal | null>,
  organization: string,
  person: { id: string; userName: string },
): Promise<void> {
  const { id, userName } = person;
  try {
    if (await admit(call, organization, id)) return;
  } catch (error) {
    // After another error, such as that of a server, the request can be repeated.
    const isRefused = error instanceof AppError && error.reason !== 'unavailable';
    const isMember = memberOf(await call.store.load(roster, organization), id) !== undefined;
    if (isRefused && !isMember) await forgetName(call, organization, id);
    throw error;
  }
  throw nameTaken(userName);
}

/**
 * Changes a user as the identity provider of the organization wants: their names, and whether they are a member. A
 * member who came by another way is let in through the provider from then on.
 * @throws AppError `already_exists`, `last_admin`, `limit_reached`, `forbidden`, `invalid_request`, `conflict`
 */
export async function changeProvisionedUser(
  call: Call<Principal | null>,
  organization: string,
  person: Person,
  wish: UserWish & { formattedAsDisplayName?: boolean },
): Promise<void> {
  const { member, provisioned } = person;
  const { _id: id } = person.account;
  await requireFreeName(call, organization, wish.userName, id);
  const name = changedName(organization, person, wish);
  const displayName = belongsToProvider(person, organization) ? displayNameOf(wish) : undefined;
  const from = provisioned?.userName;
  const change = async () => {
    if (wish.active === false)
      await leaveOrganization(call, organization, (state) => detachMember(state, { user: id }));
    else if (wish.active === true || member?.disabled === false) await admit(call, organization, id);
    await call.store.in(null).handle(account, id, (state) => nameProvisioned(state, { name, displayName, from }));
  };
  const previous = from === undefined ? undefined : userNameOf({ organization, userName: from });
  // Also where the name is the same: one of an older event may not be reserved yet.
  await withName(call, { id, name, previous }, change);
}

/** Removes a user from the organization, and forgets how the provider names them. @throws AppError `last_admin` */
export async function deleteProvisionedUser(
  call: Call<Principal | null>,
  organization: string,
  id: string,
): Promise<void> {
  await leaveOrganization(call, organization, (state) => detachMember(state, { user: id }));
  await forgetName(call, organization, id);
}

/** Ends how the provider names a person, which frees their `userName`. */
async function forgetName(call: Call<Principal | null>, organization: string, id: string): Promise<void> {
  const personal = call.store.in(null);
  const name = provisionedName(await personal.load(account, id), organization);
  if (name === undefined) return;
  await personal.giveUp(userNames, { value: userNameOf(name), owner: id }, () =>
    personal.handle(account, id, (state) => endProvisioning(state, { organization })),
  );
}

interface Naming {
  id: string;
  name: ProvisionedName;
  previous?: string | undefined;
}

/** Reserves the `userName` of a person while `append` records it. @throws AppError `already_exists` */
async function withName(call: Call<Principal | null>, naming: Naming, append: () => Promise<unknown>): Promise<void> {
  const { id, name, previous } = naming;
  let isReserved = false;
  try {
    await call.store.in(null).reserve(userNames, { value: userNameOf(name), owner: id, previous }, () => {
      isReserved = true;
      return append();
    });
  } catch (error) {
    throw !isReserved && isTaken(error) ? nameTaken(name.userName) : error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'already_exists';
}

function nameTaken(userName: string): AppError {
  return refusal('uniqueness', `userName: another user has the name ${userName}`);
}

function nameOf(organization: string, wish: UserWish, created: boolean): ProvisionedName {
  const { userName, externalId = null, displayName = null, name } = wish;
  const { formatted = null, givenName = null, familyName = null } = name;
  return { organization, userName, externalId, displayName, formatted, givenName, familyName, created };
}

function changedName(
  organization: string,
  { provisioned }: Person,
  wish: Parameters<typeof changeProvisionedUser>[3],
): ProvisionedName {
  const { formatted, ...name } = nameOf(organization, wish, provisioned?.created ?? false);
  // Somebody who was to become a member and is not yet wanted as one is no longer waited for.
  const joins = provisioned?.joining === true && (provisioned.membership !== 'none' || wish.active !== false);
  return {
    ...name,
    ...(wish.formattedAsDisplayName === true ? {} : { formatted }),
    ...(joins ? { joining: true } : {}),
  };
}

/** Whether an account is of nobody else: the provider made it, nobody has proved its address, and it is only here. */
function belongsToProvider({ account: doc, provisioned }: Person, organization: string): boolean {
  const isOnlyHere = doc.organizations.every((id) => id === organization);
  return provisioned?.created === true && !doc.emailVerified && isOnlyHere;
}
