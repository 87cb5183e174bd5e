import * as z from 'zod';
import { MemberRole, TeamRole } from '../access.js';
import { EmailDomain, Hostname, OrganizationMergeRules } from './organizations.js';

/*
 * Events of identity that other services may consume, as they are stored: additive only. Actor, time and organization
 * are metadata. None of them holds personal data: people stand in them by id.
 */

const id = z.string();
const RoleOrGuest = MemberRole.nullable();

/** Stream `identity.organization-<id>`: settings. */
export const organizationEventSchemas = {
  OrganizationCreated: z.object({
    title: z.string(),
    hostname: Hostname,
    emailDomains: z.array(EmailDomain),
    createdBy: id,
  }),
  OrganizationRenamed: z.object({ title: z.string() }),
  OrganizationHostnameChanged: z.object({ hostname: Hostname }),
  OrganizationEmailDomainsChanged: z.object({ emailDomains: z.array(EmailDomain) }),
  OrganizationDefaultRoleChanged: z.object({ role: RoleOrGuest }),
  OrganizationDefaultContentChanged: z.object({ site: id.nullable() }),
  OrganizationLogoChanged: z.object({ logo: z.string().nullable() }),
  OrganizationAIEnabled: z.object({}),
  OrganizationAIDisabled: z.object({}),
  OrganizationInviteLinksEnabled: z.object({}),
  OrganizationInviteLinksDisabled: z.object({}),
  OrganizationMergeRulesChanged: z.object({ rules: OrganizationMergeRules.shape.rules }),
  OrganizationDeleted: z.object({}),
};

/** Stream `identity.roster-<organization>`: who is a member. `membership` tells one stay of a person from the next. */
export const rosterEventSchemas = {
  RosterOpened: z.object({ organization: id }),
  MemberJoined: z.object({
    user: id,
    membership: id,
    role: RoleOrGuest,
    via: z.enum(['creation', 'invite', 'link', 'domain', 'saml']),
    /** They sign in through a provider of the organization. */
    sso: z.boolean().optional(),
  }),
  MemberRoleChanged: z.object({ user: id, role: RoleOrGuest }),
  MemberMarkedForSSO: z.object({ user: id }),
  /** A provider's name for a member, which stands here as a keyed hash, begins to stand for them. */
  MemberIdentityLinked: z.object({ user: id, provider: id, identity: z.string() }),
  MemberDisabled: z.object({ user: id }),
  MemberEnabled: z.object({ user: id }),
  MemberRemoved: z.object({ user: id, membership: id }),
  /** All memberships end at once, with the organization; `MemberRemoved` follows for each. */
  RosterClosed: z.object({}),
};

/** Stream `identity.team-<id>`: a team and who is in it. */
export const teamEventSchemas = {
  TeamCreated: z.object({ organization: id, title: z.string() }),
  TeamRenamed: z.object({ title: z.string() }),
  TeamMemberAdded: z.object({ user: id, membership: id, role: TeamRole }),
  TeamMemberRoleChanged: z.object({ user: id, role: TeamRole }),
  TeamMemberRemoved: z.object({ user: id, membership: id }),
  TeamDeleted: z.object({}),
};

/**
 * Stream `identity.erasure-<user>`: how a person was erased, by id alone. What shows people drops them with `UserErased`, and
 * takes a person whom it does not know for an erased one: their own stream is gone.
 */
export const erasureEventSchemas = {
  UserErasureBegan: z.object({}),
  /** An organization or the installation would have been left without anybody in charge. */
  UserErasureRefused: z.object({}),
  UserErased: z.object({ user: id }),
};
