import { roleAtLeast, type MemberRole, type Organization, type SSOLogin } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { OrganizationDocument, Urls } from '../../organization-read-models/index.js';
import { newOrganization } from '../../events/index.js';

/**
 * What an answer about an organization shows of the caller: whether they are an active member, their role, and whether
 * they own a team.
 */
export interface OrganizationView {
  member: boolean;
  role: MemberRole | null;
  ownsTeam: boolean;
  /**
   * Set when the organization enforces single sign-on and the caller has not used it. The settings are hidden then, and
   * members get the logins.
   */
  closed?: { logins?: readonly SSOLogin[] };
}

export function renderOrganization(
  all: Stored<OrganizationDocument>,
  view: OrganizationView,
  urls: Urls,
): Organization {
  const { closed } = view;
  const doc = closed === undefined ? all : { ...all, ...newOrganization, emailDomains: [] };
  const location = `${urls.api}/orgs/${doc._id}`;
  return {
    object: 'organization',
    id: doc._id,
    title: doc.title,
    createdAt: doc.createdAt,
    emailDomains: [...doc.emailDomains],
    hostname: doc.hostname,
    type: 'business',
    defaultRole: doc.defaultRole,
    ...(doc.site === null ? {} : { defaultContent: { type: 'site', site: doc.site } }),
    sso: doc.sso,
    ...(closed?.logins === undefined ? {} : { ssoLogins: [...closed.logins] }),
    ai: doc.ai,
    inviteLinks: doc.inviteLinks,
    plan: 'enterprise_2024',
    mergeRules: { type: 'rules', rules: [...doc.mergeRules] },
    trial: { status: 'notapplicable', count: 0 },
    urls: { location, app: `${urls.app}/o/${doc._id}`, ...(doc.logo === null ? {} : { logo: doc.logo }) },
    permissions: organizationPermissions(view),
  };
}

/** What a caller may do in an organization, by role and by owning a team. */
function organizationPermissions({ member, role, ownsTeam }: OrganizationView): Organization['permissions'] {
  const admin = role === 'admin';
  const create = roleAtLeast(role, 'create');
  const read = roleAtLeast(role, 'read');
  return {
    view: member,
    admin,
    ownTeam: ownsTeam,
    createContent: create,
    createOpenAPISpec: create,
    ingestConversations: admin,
    viewBilling: admin,
    listMembers: read,
    listTeams: read || ownsTeam,
    listIntegrations: read,
    listInstallations: create,
    installIntegration: create,
  };
}
