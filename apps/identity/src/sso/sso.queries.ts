import { AppError, type OrganizationSSOLogin, type SAMLProvider, type SSOLogin, type Team } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, keyed, type Page, type PageRequest, type ServiceContext } from '@scriptorium/platform';
import { domainOf, ownsDomain } from '../members/join-by-domain.js';
import { adminAddresses } from '../members/admin-addresses.queries.js';
import type { MemberDocument } from '../members/member.projection.js';
import { organizations, type OrganizationDocument } from '../organizations/organization.projection.js';
import { renderTeam } from '../resources.js';
import { addressesOf } from '../saml/service-provider.js';
import { teams } from '../teams/team.projection.js';
import { users } from '../users/user.projection.js';
import { samlProviders, type SAMLProviderDocument } from './saml-provider.projection.js';

/** Organizations of one domain whose logins are shown to somebody who is not signed in. */
const organizationsOfDomain = 50;

/** Providers as admins of the organization see them; a default team that is gone is left out. */
async function renderProviders(context: ServiceContext, docs: readonly Stored<SAMLProviderDocument>[]): Promise<SAMLProvider[]> {
  const wanted = docs.flatMap(({ defaultTeam }) => (defaultTeam === null ? [] : [defaultTeam]));
  const found = keyed(await context.store.collection(teams).byIds(wanted));
  return docs.map((doc) => {
    const team = doc.defaultTeam === null ? undefined : found.get(doc.defaultTeam);
    return renderProvider(doc, team === undefined ? undefined : renderTeam(team, { admin: true, view: true }, context.urls), context.urls);
  });
}

function renderProvider(doc: Stored<SAMLProviderDocument>, defaultTeam: Team | undefined, urls: ServiceContext['urls']): SAMLProvider {
  const { ssoURL, entityID, certificate } = doc;
  return {
    object: 'saml-provider',
    id: doc._id,
    label: doc.label,
    ...(ssoURL === null ? {} : { ssoURL }),
    ...(entityID === null ? {} : { entityID }),
    ...(certificate === null ? {} : { certificate }),
    ...(defaultTeam === undefined ? {} : { defaultTeam }),
    defaultRole: doc.defaultRole,
    createdAt: doc.createdAt,
    status: doc.status,
    service: addressesOf({ urls }, doc._id),
    urls: { location: `${urls.api}/orgs/${doc.organization}/saml/${doc._id}` },
  };
}

export async function getProvider(context: ServiceContext, organization: string, id: string): Promise<SAMLProvider> {
  const doc = await context.store.collection(samlProviders).byId(id);
  if (doc?.organization !== organization) throw new AppError('not_found');
  const [rendered] = await renderProviders(context, [doc]);
  return rendered as SAMLProvider;
}

/** The providers of an organization, newest first. */
export async function listProviders(
  context: ServiceContext,
  filter: PageRequest & { organization: string; operation: string },
): Promise<Page<SAMLProvider>> {
  const { organization, operation } = filter;
  const page = await findPage(context.cursors, {
    model: context.store.collection(samlProviders),
    filter: { organization },
    sort: 'createdAt',
    binding: { operation, scope: { organization }, order: 'desc' },
    request: filter,
  });
  return { ...page, items: await renderProviders(context, page.items) };
}

/** Whether anybody can sign in by single sign-on. */
export async function hasActiveProvider({ store }: ServiceContext, organization: string): Promise<boolean> {
  return (await store.collection(samlProviders).findOne({ organization, status: 'active' })) !== null;
}

/** The logins of an organization's active providers, newest first. */
export async function listLogins(context: ServiceContext, organization: string): Promise<SSOLogin[]> {
  const docs = await context.store.collection(samlProviders).find({ organization, status: 'active' }).sort({ createdAt: -1, _id: -1 }).toArray();
  return docs.map(({ _id, label }) => ({ id: _id, label, startURL: addressesOf(context, _id).startURL }));
}

/**
 * The logins of the organizations that own the domain of an address. Nothing here looks for the address itself, so that
 * the answer does not tell whether somebody has it.
 */
export async function listLoginsForAddress(context: ServiceContext, email: string): Promise<OrganizationSSOLogin[]> {
  const domain = domainOf(email);
  const found = await context.store
    .collection(organizations)
    .find({ emailDomains: domain })
    .sort({ titleKey: 1, _id: 1 })
    .limit(organizationsOfDomain)
    .toArray();
  const logins = await Promise.all(
    found.map(async ({ _id, title, emailDomains }) => {
      const active = await listLogins(context, _id);
      if (active.length === 0 || !ownsDomain(domain, { emailDomains, admins: await adminAddresses(context, _id) })) return [];
      return active.map((login) => ({ organization: { title }, ...login }));
    }),
  );
  return logins.flat();
}

/**
 * Whether a member has to sign in through a provider of the organization, and no identity at an active one stands for them.
 * Guests and service accounts do not have to (decisions 1.5 "`sso:true`").
 */
export async function isWithoutSSO(store: ServiceContext['store'], { sso }: Pick<OrganizationDocument, 'sso'>, member: MemberDocument): Promise<boolean> {
  if (!sso || member.role === null) return false;
  const linked = await store.collection(samlProviders).byIds(member.providers);
  if (linked.some(({ organization, status }) => organization === member.organization && status === 'active')) return false;
  return (await store.collection(users).byId(member.user))?.kind !== 'service';
}
