import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { type AdminAddress, domainOf, type DomainOwner, ownsDomain } from './email-domains.js';
import { members, type OrganizationDocument, organizations, users } from '../../organization-read-models/index.js';

/** What decides which e-mail domains an organization owns. */
export async function domainOwner(scope: Scope, doc: Stored<OrganizationDocument>): Promise<DomainOwner> {
  const { emailDomains, claims, unclaimedDomains } = doc;
  return { emailDomains, claims, unclaimedDomains, admins: await adminAddresses(scope, doc._id) };
}

/**
 * Organizations that own an e-mail domain, by title. `most`: how many organizations that name the domain are checked.
 */
export async function listOwnersOf(
  scope: Scope,
  domain: string,
  most: number,
): Promise<Stored<OrganizationDocument>[]> {
  const found = await scope.store
    .read(organizations)
    .find({ emailDomains: domain, $or: [{ 'claims.domain': domain }, { unclaimedDomains: domain }] })
    .sort({ titleKey: 1, _id: 1 })
    .limit(most)
    .toArray();
  const owned = await Promise.all(found.map(async (doc) => ownsDomain(domain, await domainOwner(scope, doc))));
  return found.filter((_, i) => owned[i] === true);
}

/** Verified addresses of the active admins of an organization who have accepted their membership. */
async function adminAddresses({ store }: Scope, organization: string): Promise<AdminAddress[]> {
  const admins = await store
    .read(members)
    .find({ organization, role: 'admin', disabled: false, accepted: true })
    .project<{ user: string }>({ user: 1 })
    .toArray();
  const people = await store.read(users).byIds(admins.map(({ user }) => user));
  return people.flatMap(({ _id, email, emailVerified }) => (emailVerified ? [{ user: _id, email }] : []));
}

/** The domain of a person's address if it is verified, otherwise null. */
export async function verifiedDomain({ store }: Scope, user: string): Promise<string | null> {
  const person = await store.read(users).byId(user);
  return person?.emailVerified === true && person.kind === 'person' ? domainOf(person.email) : null;
}
