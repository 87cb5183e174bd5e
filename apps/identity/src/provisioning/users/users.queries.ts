import { AppError } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { keyed, type Scope } from '@scriptorium/platform';
import {
  type MemberDocument,
  memberKey,
  members,
  provisionedKey,
  type ProvisionedUserDocument,
  provisionedUsers,
  type UserDocument,
  users,
} from '../../organization-read-models/index.js';
import { equalities, type Filter } from '../protocol/filter.js';
import { userKind, type Fields } from '../protocol/resource.js';
import { frameOf } from '../protocol/service.js';

/** A person of an organization: a member, or somebody whom its identity provider has deactivated. */
export interface Person {
  account: Stored<UserDocument>;
  member: MemberDocument | undefined;
  provisioned: ProvisionedUserDocument | undefined;
}

/** The people among these users, in their order. Service accounts are none. */
export async function findPeople({ store }: Scope, organization: string, ids: readonly string[]): Promise<Person[]> {
  const keys = ids.map((user) => memberKey(organization, user));
  const [accounts, places, named] = await Promise.all([
    store.read(users).byIds(ids),
    store.read(members).byIds(keys),
    store.read(provisionedUsers).byIds(ids.map((user) => provisionedKey(organization, user))),
  ]);
  const [byId, memberOf, nameOf] = [keyed(accounts), keyed(places), keyed(named)];
  return ids.flatMap((id) => {
    const account = byId.get(id);
    const member = memberOf.get(memberKey(organization, id));
    const provisioned = nameOf.get(provisionedKey(organization, id));
    if (account?.kind !== 'person' || (member === undefined && provisioned === undefined)) return [];
    return [{ account, member, provisioned }];
  });
}

/** @throws AppError `not_found` */
export async function getPerson(scope: Scope, organization: string, id: string): Promise<Person> {
  const [person] = await findPeople(scope, organization, [id]);
  if (person === undefined) throw new AppError('not_found', [], { message: 'There is no such user' });
  return person;
}

/** A person as a resource. */
export function renderPerson({ account, member, provisioned }: Person, base: string): Fields {
  const ofAccount = { userName: account.email, displayName: account.displayName };
  // Of somebody whom the provider has named only that is shown: it would take the rest for what it has sent.
  const named: Partial<ProvisionedUserDocument> = provisioned ?? ofAccount;
  const { userName, externalId, displayName, formatted = displayName, givenName, familyName } = named;
  const name = said({ formatted, givenName, familyName });
  const created = provisioned?.createdAt ?? member?.joinedAt ?? '';
  const lastModified = provisioned?.modifiedAt ?? latest(member?.modifiedAt, account.renamedAt);
  return {
    ...frameOf(userKind, base, { id: account._id, created, lastModified: lastModified ?? created }),
    ...said({ externalId, userName, displayName }),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    active: member !== undefined && !member.disabled,
    emails: [{ value: account.email, type: 'work', primary: true }],
  };
}

/** Who is a member without a name of the provider has the address as their name. */
export function userNameOfPerson({ account, provisioned }: Person): string {
  return provisioned?.userName ?? account.email;
}

/** Whether the whole name of a person is shown as it is because it is their `displayName`. */
export function isFormattedAsDisplayName({ provisioned }: Person): boolean {
  return provisioned?.formatted === undefined;
}

function latest(...times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1);
}

function said(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

/** Ids of the people among whom all are that meet a filter, sorted. Everybody's, if the filter does not say more. */
export async function candidatesFor(scope: Scope, organization: string, filter: Filter | undefined): Promise<string[]> {
  const { store } = scope;
  const asked = filter === undefined ? new Map<string, string>() : equalities(filter, userKind);
  const [id, externalId] = [asked.get('id'), asked.get('externalid')];
  if (id !== undefined) return [id];
  if (externalId !== undefined)
    return sortedUsers(await store.read(provisionedUsers).find({ organization, externalId }).toArray());
  const userName = asked.get('username')?.toLowerCase();
  const email = (asked.get('emails.value') ?? asked.get('emails'))?.toLowerCase();
  if (userName !== undefined) return idsOfName(scope, organization, userName);
  const people = await store
    .read(users)
    .find(email === undefined ? { organizations: organization, kind: 'person' } : { email, kind: 'person' })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  if (email !== undefined) return people.map(({ _id }) => _id).sort();
  const named = await store
    .read(provisionedUsers)
    .find({ organization })
    .project<{ user: string }>({ user: 1 })
    .toArray();
  return sortedUsers([...people.map(({ _id: user }) => ({ user })), ...named]);
}

/** Ids of those who have this name, in lower case: at the provider, or as the address of a member without one. */
export async function idsOfName({ store }: Scope, organization: string, userName: string): Promise<string[]> {
  const [named, members] = await Promise.all([
    store.read(provisionedUsers).find({ organization, userNameKey: userName }).toArray(),
    store.read(users).find({ organizations: organization, email: userName }).toArray(),
  ]);
  return sortedUsers([...named, ...members.map(({ _id: user }) => ({ user }))]);
}

function sortedUsers(docs: readonly { user: string }[]): string[] {
  return [...new Set(docs.map(({ user }) => user))].sort();
}
