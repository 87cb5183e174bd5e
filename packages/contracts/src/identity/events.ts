import * as z from 'zod';
import { MemberRole, TeamRole } from '../access.js';
import { EmailDomain, Hostname, OrganizationMergeRules } from './organizations.js';

/*
 * Events of identity that other services may consume, as they are stored: additive only. Actor, time and organization
 * are metadata. None of them holds personal data: people stand in them by id.
 */

const id = z.string();
const RoleOrGuest = MemberRole.nullable();
const AccountKind = z.enum(['person', 'service']);

/**
 * Whose the e-mail domains of the event are: `OrganizationEmailDomainClaimed` tells it. Events of versions before have no such
 * field; their domains are the organization's own while one of its admins has a verified address there.
 */
const claims = z.literal('recorded').optional();

/** Stream `identity.organization-<id>`: settings. */
export const organizationEventSchemas = {
  OrganizationCreated: z.object({
    title: z.string(),
    hostname: Hostname,
    emailDomains: z.array(EmailDomain),
    createdBy: id,
    claims,
  }),
  OrganizationRenamed: z.object({ title: z.string() }),
  OrganizationHostnameChanged: z.object({ hostname: Hostname }),
  OrganizationEmailDomainsChanged: z.object({ emailDomains: z.array(EmailDomain), claims }),
  /** An admin with a verified address of this domain has claimed it for the organization, which names it. */
  OrganizationEmailDomainClaimed: z.object({ domain: EmailDomain, user: id }),
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
    /** An admin has made them a member, and they have not accepted that yet. */
    unaccepted: z.literal(true).optional(),
    /** Kind of their account. It was not recorded in the past: `MemberAccountKindRecorded` then follows for service accounts. */
    kind: AccountKind.optional(),
  }),
  /** Says of a membership that began without it what kind of account it is; of `membership` alone, as a later one says it itself. */
  MemberAccountKindRecorded: z.object({ user: id, membership: id, kind: AccountKind }),
  /** A member whom an admin had added accepts that, by a first change in the organization or by connecting their account. */
  MemberAccepted: z.object({ user: id, membership: id }),
  MemberRoleChanged: z.object({ user: id, role: RoleOrGuest }),
  MemberMarkedForSSO: z.object({ user: id }),
  /** A provider's name for a member, which stands here as a keyed hash, begins to stand for them. */
  MemberIdentityLinked: z.object({
    user: id,
    provider: id,
    identity: z.string(),
    /** Whether the member connected it from a session of their own, or their account was created by it. Versions before do not say it. */
    own: z.boolean().optional(),
  }),
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

/** Stream `identity.invitee-<keyed hash>`: which invitation is open for an address in an organization. */
export const inviteeEventSchemas = {
  InviteOpened: z.object({ invite: id }),
  InviteClosed: z.object({ invite: id }),
};

/** Stream `identity.notices-<organization>`: what its admins have to know and happens in streams of nobody's organization. */
export const adminAlertEventSchemas = {
  /** Somebody else, an operator, made a token with which this member's account can be used. */
  MemberTokenIssued: z.object({ user: id, token: id }),
};
