import * as z from 'zod';
import { MemberRole, TeamRole } from '../kernel/access.js';
import { EmailDomain, Hostname, OrganizationMergeRules } from './organizations/organizations.js';

/*
 * Events of identity that other services may consume, as they are stored. Their schemas may only grow. Actor, time and
 * organization are metadata. No event contains personal data: people appear by id.
 */

const id = z.string();
const RoleOrGuest = MemberRole.nullable();
const AccountKind = z.enum(['person', 'service']);

/**
 * Marks events whose domains are claimed by `OrganizationEmailDomainClaimed`. Events of earlier versions do not have
 * it: the organization owns their domains while one of its admins has a verified address there.
 */
const claims = z.literal('recorded').optional();

/** Stream `identity.organization-<id>`: the settings of an organization. */
export const organizationEventSchemas = {
  OrganizationCreated: z.object({
    title: z.string(),
    hostname: Hostname,
    emailDomains: z.array(EmailDomain),
    createdBy: id,
    claims,
    /** Its creator wishes a site that it shows first; the service sites makes it. */
    withDefaultSite: z.literal(true).optional(),
  }),
  OrganizationRenamed: z.object({ title: z.string() }),
  OrganizationHostnameChanged: z.object({ hostname: Hostname }),
  OrganizationEmailDomainsChanged: z.object({ emailDomains: z.array(EmailDomain), claims }),
  /** An admin with a verified address of this domain has claimed it for the organization. */
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

/** Stream `identity.roster-<organization>`: the members. `membership` is the id of the time from joining to leaving. */
export const rosterEventSchemas = {
  RosterOpened: z.object({ organization: id }),
  MemberJoined: z.object({
    user: id,
    membership: id,
    role: RoleOrGuest,
    via: z.enum(['creation', 'invite', 'link', 'domain', 'saml']),
    /** An admin has marked them for single sign-on. */
    sso: z.boolean().optional(),
    /** An admin has added them, and they have not accepted the membership yet. */
    unaccepted: z.literal(true).optional(),
    /**
     * The kind of their account. Earlier versions did not record it; for service accounts `MemberAccountKindRecorded`
     * follows then.
     */
    kind: AccountKind.optional(),
  }),
  /** The kind of the account of a membership that began without it. It applies to this `membership` only. */
  MemberAccountKindRecorded: z.object({ user: id, membership: id, kind: AccountKind }),
  /**
   * A member whom an admin had added has accepted the membership, by a first change in the organization or by
   * connecting their account.
   */
  MemberAccepted: z.object({ user: id, membership: id }),
  MemberRoleChanged: z.object({ user: id, role: RoleOrGuest }),
  MemberMarkedForSSO: z.object({ user: id }),
  /**
   * An identity at a provider was connected to a member. `identity` is the keyed hash of the provider's name for them.
   */
  MemberIdentityLinked: z.object({
    user: id,
    provider: id,
    identity: z.string(),
    /**
     * Whether the member connected it from a session of their own, or it created their account. Earlier versions did
     * not record it.
     */
    own: z.boolean().optional(),
  }),
  MemberDisabled: z.object({ user: id }),
  MemberEnabled: z.object({ user: id }),
  MemberRemoved: z.object({ user: id, membership: id }),
  /** All memberships end at once, since the organization is deleted. `MemberRemoved` follows for each. */
  RosterClosed: z.object({}),
};

/** Stream `identity.team-<id>`: a team and its members. */
export const teamEventSchemas = {
  TeamCreated: z.object({ organization: id, title: z.string() }),
  TeamRenamed: z.object({ title: z.string() }),
  TeamMemberAdded: z.object({ user: id, membership: id, role: TeamRole }),
  TeamMemberRoleChanged: z.object({ user: id, role: TeamRole }),
  TeamMemberRemoved: z.object({ user: id, membership: id }),
  TeamDeleted: z.object({}),
};

/**
 * Stream `identity.erasure-<user>`: the erasure of a person, by id alone. Read models drop the person at `UserErased`,
 * and count an unknown person as erased, since the person's own stream is deleted.
 */
export const erasureEventSchemas = {
  UserErasureBegan: z.object({}),
  /** An organization would have had no admin, or the installation no operator. */
  UserErasureRefused: z.object({}),
  UserErased: z.object({ user: id }),
};

/** Stream `identity.invitee-<keyed hash>`: which invitation is open for an address in an organization. */
export const inviteeEventSchemas = {
  InviteOpened: z.object({ invite: id }),
  InviteClosed: z.object({ invite: id }),
};

/**
 * Stream `identity.notices-<organization>`: events of streams without an organization that its admins have to know
 * about.
 */
export const adminAlertEventSchemas = {
  /** An operator created a token with which the account of this member can be used. */
  MemberTokenIssued: z.object({ user: id, token: id }),
};
