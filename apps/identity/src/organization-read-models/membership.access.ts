import {
  roleRelations,
  type MemberRole,
  type Principal,
  type Relation,
  type ResourceAccess,
} from '@scriptorium/contracts';
import { placeOf } from '@scriptorium/access';
import type { Projection } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { memberKey, members } from './member.projection.js';
import { organizations } from './organization.projection.js';
import { ssoFactsOf } from './sso.queries.js';

export type Params = Readonly<Record<string, string>>;
type Store = Scope['store'];

/** The access that a caller has to an organization as its member. */
export interface Membership {
  role: MemberRole | null;
  /** The relations that follow from the role. */
  relations: Relation[];
  /** The caller lacks the single sign-on that the organization enforces. */
  withoutSSO: boolean;
}

/**
 * The caller's membership in the organization. Null when the caller is no active member, or the token is bound to
 * another organization.
 */
export async function membershipOf(
  store: Store,
  principal: Principal,
  organization: string,
): Promise<Membership | null> {
  const [known, member] = await Promise.all([
    store.read(organizations).byId(organization),
    store.read(members).byId(memberKey(organization, principal.id)),
  ]);
  if (known === null || member === null) return null;
  const { facts, kind } = await ssoFactsOf(store, known, member);
  const place = placeOf(principal, { deleted: false, ...facts }, { ...member, kind });
  return place && { role: place.role, relations: roleRelations(place.role), withoutSSO: place.withoutSSO };
}

/** The access of a member to a resource of the organization. `more`: relations in addition to those of the role. */
export function memberAccess(
  { role, relations, withoutSSO }: Membership,
  exists: boolean,
  more: readonly Relation[] = [],
): ResourceAccess {
  return { ...access(exists, [...relations, ...more]), role, withoutSSO };
}

/** The access to a resource of an organization that has no relations of its own. */
export async function partAccess<D extends { organization: string }>(
  store: Store,
  principal: Principal,
  { organizationId = '' }: Params,
  model: Projection<D>,
  id = '',
): Promise<ResourceAccess> {
  const [membership, part] = await Promise.all([
    membershipOf(store, principal, organizationId),
    store.read(model).byId(id),
  ]);
  return membership === null ? noAccess : memberAccess(membership, part?.organization === organizationId);
}

/** The access of a caller who may not know that the organization of the resource exists. */
export const noAccess: ResourceAccess = { parentVisible: false, exists: false, relations: new Set() };

export function access(exists: boolean, relations: readonly Relation[]): ResourceAccess {
  return { parentVisible: true, exists, relations: new Set(relations) };
}

export function selfRelation(principal: Principal, user: string): Relation[] {
  return principal.id === user ? ['self'] : [];
}
