import { AppError, blaming, type Organization, type Subdomain, requestBounds } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { domainOf } from '../email-domains/email-domains.js';
import { domainOwner } from '../email-domains/domain-owner.queries.js';
import { memberKey, members, organizations, users } from '../../organization-read-models/index.js';
import { renderOrganizations } from '../settings/organizations.queries.js';
import type { DomainJoining } from './join-by-domain.js';

export async function isActiveMember({ store }: Scope, organization: string, user: string): Promise<boolean> {
  return (await store.read(members).byId(memberKey(organization, user)))?.disabled === false;
}

/** The address of the person if it is verified, otherwise null. */
async function verifiedAddress(scope: Scope, user: string): Promise<string | null> {
  const person = await scope.store.read(users).findOne({ _id: user, emailVerified: true });
  return person?.email ?? null;
}

/**
 * What decides whether a person may join an organization by the domain of their address, with the role that they would
 * get.
 * @throws AppError `organization_not_found`
 */
export async function getDomainJoining(
  scope: Scope,
  organization: string,
  user: string,
): Promise<DomainJoining & Pick<Organization, 'defaultRole'>> {
  const doc = await scope.store.read(organizations).byId(organization);
  if (doc === null) throw blaming('organization_not_found', 'params.organizationId');
  const [email, owner] = await Promise.all([verifiedAddress(scope, user), domainOwner(scope, doc)]);
  return { ...owner, email, sso: doc.sso, defaultRole: doc.defaultRole };
}

/** Organizations that name a domain, by title. A person without a verified address of the domain gets none. */
export async function listOrganizationsOfDomain(scope: Scope, domain: string, user: string): Promise<Organization[]> {
  const email = await verifiedAddress(scope, user);
  const wanted = domain.toLowerCase();
  if (email === null || domainOf(email) !== wanted) return [];
  const docs = await scope.store
    .read(organizations)
    .find({ emailDomains: wanted })
    .sort({ titleKey: 1, _id: 1 })
    .limit(requestBounds.pageSize)
    .toArray();
  return renderOrganizations(scope, docs, user);
}

/** @throws AppError `not_found` when nobody has the subdomain. */
export async function getSubdomainTarget(scope: Scope, subdomain: string): Promise<Subdomain> {
  const doc = await scope.store.read(organizations).findOne({ hostname: subdomain });
  if (doc === null) throw new AppError('not_found');
  return { object: 'subdomain', subdomain, target: { type: 'organization', organization: doc._id }, isActive: true };
}
