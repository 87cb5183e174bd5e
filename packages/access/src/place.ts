import {
  lacksSSO,
  type IntegrationScope,
  type MemberRole,
  type Principal,
  type SSOFacts,
  type SSOMember,
} from '@scriptorium/contracts';

/** The facts of an organization that decide who has a place in it. */
export interface OrganizationFacts extends SSOFacts {
  deleted: boolean;
}

/** The facts of a membership that decide its place. */
export interface MembershipFacts extends SSOMember {
  organization: string;
  user: string;
  /** Id of the time from joining to leaving. */
  membership: string;
  disabled: boolean;
}

/** What a caller is in an organization. */
export interface Place {
  organization: string;
  user: string;
  /** Id of the membership. Grants to an earlier membership do not count. */
  membership: string;
  /** `null` for a guest. */
  role: MemberRole | null;
  /** The organization enforces single sign-on, and the member has no identity at one of its active providers. */
  withoutSSO: boolean;
  /** Set for an installation of an integration, which is no member: the scopes that it was granted. */
  granted?: readonly IntegrationScope[];
}

/**
 * The place of a caller in an organization. `null` when the organization is unknown or deleted, the caller is no member
 * or a disabled one, or the token is bound to another organization. Pure.
 */
export function placeOf(
  caller: Pick<Principal, 'organization'>,
  organization: OrganizationFacts | null,
  member: MembershipFacts | null,
): Place | null {
  if (organization === null || organization.deleted || member === null || member.disabled) return null;
  if (caller.organization !== undefined && caller.organization !== member.organization) return null;
  const { user, membership, role } = member;
  return {
    organization: member.organization,
    user,
    membership,
    role,
    withoutSSO: lacksSSO(organization, member),
  };
}
