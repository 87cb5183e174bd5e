import {
  roleAtLeast, type Member, type MemberRole, type Organization, type SSOLogin, type Team, type User, type UserToken,
} from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { MemberDocument } from './members/member.projection.js';
import type { OrganizationDocument } from './organizations/organization.projection.js';
import { newOrganization } from './organizations/organization.js';
import type { TeamDocument } from './teams/team.projection.js';
import type { TokenDocument } from './tokens/token.projection.js';
import type { UserDocument } from './users/user.projection.js';

/** Bases of the addresses in answers. */
export interface Urls {
  /** Address of the API including `/v1`. */
  api: string;
  app: string;
}

/** What of an organization depends on who looks: whether they are an active member, their role, and whether they own a team. */
export interface OrganizationView {
  member: boolean;
  role: MemberRole | null;
  ownsTeam: boolean;
  /** It enforces single sign-on, and they have not come by it: how members can. They see that it is there, and none of its settings. */
  closed?: { logins?: readonly SSOLogin[] };
}

export function renderUser(doc: Stored<UserDocument>, urls: Urls, options: { email: boolean }): User {
  return {
    object: 'user',
    id: doc._id,
    displayName: doc.displayName,
    ...(options.email ? { email: doc.email } : {}),
    ...(doc.photoURL === null ? {} : { photoURL: doc.photoURL }),
    urls: { location: `${urls.api}/users/${doc._id}` },
  };
}

/** A person whose data was erased; their memberships and traces keep the id alone. */
export function renderDeletedUser(id: string, urls: Urls): User {
  return { object: 'user', id, displayName: 'Deleted user', urls: { location: `${urls.api}/users/${id}` } };
}

export function renderOrganization(all: Stored<OrganizationDocument>, view: OrganizationView, urls: Urls): Organization {
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

/** Decisions 1.2.c, organization. */
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

/** What of a member does not stand in the membership itself. */
export interface MemberFacts {
  user: User;
  teams: number;
  lastSeenAt?: string | undefined;
  /** Whether they sign in, or may, through a provider of the organization. */
  sso: boolean;
}

export function renderMember(doc: Stored<MemberDocument>, facts: MemberFacts, urls: Urls): Member {
  return {
    object: 'member',
    id: doc.user,
    role: doc.role,
    user: facts.user,
    disabled: doc.disabled,
    joinedAt: doc.joinedAt,
    ...(facts.lastSeenAt === undefined ? {} : { lastSeenAt: facts.lastSeenAt }),
    sso: facts.sso,
    spaces: 0,
    teams: facts.teams,
    urls: { location: `${urls.api}/orgs/${doc.organization}/members/${doc.user}` },
  };
}

export function renderTeam(doc: Stored<TeamDocument>, permissions: Team['permissions'], urls: Urls): Team {
  return {
    object: 'team',
    id: doc._id,
    title: doc.title,
    members: doc.members,
    spaces: 0,
    createdAt: doc.createdAt,
    permissions,
    urls: { location: `${urls.api}/orgs/${doc.organization}/teams/${doc._id}` },
  };
}

export function renderToken(doc: Stored<TokenDocument>, lastUsedAt: string | undefined, urls: Urls): UserToken {
  return {
    object: 'user-token',
    id: doc._id,
    label: doc.label,
    createdAt: doc.createdAt,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    ...(doc.expiresAt === undefined ? {} : { expiresAt: doc.expiresAt }),
    ...(doc.scopes === undefined ? {} : { scopes: doc.scopes }),
    urls: { location: `${urls.api}/user/tokens/${doc._id}` },
  };
}
