import {
  lacksSSO,
  roleRelations,
  type IntegrationScope,
  type MemberRole,
  type Principal,
  type Relation,
  type ResourceAccess,
  type SSOFacts,
  type SSOMember,
  type VisitorPrincipal,
} from '@scriptorium/contracts';
import { type Grantee, type Level } from './level.js';

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

/**
 * A visitor as a viewer of the spaces that the content token opens: with the level `read`, as a guest. What visitors
 * see of these spaces depends on their claims, and they can use the operations alone that accept content tokens. `null`
 * for a space that is not opened, or is of another organization. Pure.
 */
export function visitorOf(
  { id, organization, visitor }: VisitorPrincipal,
  space: { id: string; organization: string },
): { place: Place; member: Grantee; level: 'read' } | null {
  if (space.organization !== organization || !visitor.spaces.includes(space.id)) return null;
  const place = { organization, user: id, membership: '', role: null, withoutSSO: false };
  return { place, member: { user: id, membership: '', role: null, teams: [] }, level: 'read' };
}

/** The access of a member to the organization itself. */
export function organizationAccess(place: Place | null): ResourceAccess {
  if (place === null) return { parentVisible: true, exists: true, relations: new Set() };
  const { organization, role, withoutSSO } = place;
  return { parentVisible: true, exists: true, relations: new Set(roleRelations(role)), organization, role, withoutSSO };
}

/**
 * Access to a space or collection, or to what is written about it: the relations follow from the level there. `viewed`:
 * what the caller sees; `null` for what is not there, or is of an organization that the caller is no member of. Pure.
 */
export function nodeResourceAccess(viewed: { place: Place; level: Level } | null, exists: boolean): ResourceAccess {
  if (viewed === null) return { parentVisible: true, exists: false, relations: new Set() };
  const { level, place } = viewed;
  const { organization, role, withoutSSO, granted } = place;
  const relations = new Set<Relation>(level === null ? [] : roleRelations(level));
  if (role === 'admin') relations.add('organization_admin');
  if (granted !== undefined) relations.add('installation');
  return { parentVisible: true, exists, relations, organization, role, withoutSSO, granted };
}

/**
 * Access to a part of it, such as a grant or a comment: whoever may not view the whole does not know of its parts.
 * Pure.
 */
export function partResourceAccess(whole: ResourceAccess): ResourceAccess {
  return { ...whole, parentVisible: whole.exists && whole.relations.has('read'), exists: true };
}
