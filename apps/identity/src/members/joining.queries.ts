import { AppError, blaming, type Organization, type Subdomain, requestBounds } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import { organizations } from '../organizations/organization.projection.js';
import { renderOrganizations } from '../organizations/organizations.queries.js';
import { users } from '../users/user.projection.js';
import { adminAddresses } from './admin-addresses.queries.js';
import { domainOf, type DomainJoining } from './join-by-domain.js';
import { memberKey, members } from './member.projection.js';

export async function isMember({ store }: ServiceContext, organization: string, user: string): Promise<boolean> {
  return (await store.collection(members).byId(memberKey(organization, user))) !== null;
}

/** The person's address if it is verified. */
async function verifiedAddress(context: ServiceContext, user: string): Promise<string | null> {
  const person = await context.store.collection(users).findOne({ _id: user, emailVerified: true });
  return person?.email ?? null;
}

/**
 * What decides whether a person may join an organization by the domain of their address, and as what.
 * @throws AppError `organization_not_found`
 */
export async function getDomainJoining(context: ServiceContext, organization: string, user: string): Promise<DomainJoining & Pick<Organization, 'defaultRole'>> {
  const doc = await context.store.collection(organizations).byId(organization);
  if (doc === null) throw blaming('organization_not_found', 'params.organizationId');
  const [email, admins] = await Promise.all([verifiedAddress(context, user), adminAddresses(context, organization)]);
  return { email, admins, emailDomains: doc.emailDomains, sso: doc.sso, defaultRole: doc.defaultRole };
}

/** Organizations that name a domain, by title, for somebody with a verified address there; none for others. */
export async function listOrganizationsOfDomain(context: ServiceContext, domain: string, user: string): Promise<Organization[]> {
  const email = await verifiedAddress(context, user);
  const wanted = domain.toLowerCase();
  if (email === null || domainOf(email) !== wanted) return [];
  const docs = await context.store
    .collection(organizations)
    .find({ emailDomains: wanted })
    .sort({ titleKey: 1, _id: 1 })
    .limit(requestBounds.pageSize)
    .toArray();
  return renderOrganizations(context, docs, user);
}

/** @throws AppError `not_found` when nobody has the subdomain. */
export async function getSubdomainTarget(context: ServiceContext, subdomain: string): Promise<Subdomain> {
  const doc = await context.store.collection(organizations).findOne({ hostname: subdomain });
  if (doc === null) throw new AppError('not_found');
  return { object: 'subdomain', subdomain, target: { type: 'organization', organization: doc._id }, isActive: true };
}
