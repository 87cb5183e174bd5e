import { lacksSSO, type MemberRole, type Principal, type SSOFacts, type SSOMember } from '@scriptorium/contracts';

/** What of an organization decides who has a place in it. */
export interface OrganizationFacts extends SSOFacts {
  deleted: boolean;
}

/** What of a membership decides what place it gives. */
export interface MembershipFacts extends SSOMember {
  organization: string;
  user: string;
  /** Id of this stay of the person in the organization. */
  membership: string;
  disabled: boolean;
}

/** A caller's place in an organization. */
export interface Place {
  organization: string;
  user: string;
  /** Id of this stay: grants that were given in an earlier one do not count. */
  membership: string;
  /** `null` for a guest. */
  role: MemberRole | null;
  /** The organization enforces single sign-on, and the member has no identity at one of its active providers. */
  withoutSSO: boolean;
}

/**
 * The place of a caller in an organization; `null` when they have none: the organization is unknown or deleted, they are no
 * member of it or a disabled one, or their token is good for another organization alone. Pure.
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
