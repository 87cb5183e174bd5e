import { membershipKey, memberships, organizationAccess, type ServiceAccess } from '@scriptorium/access';
import type { Principal, Relation, ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';

/** Access to a member of an organization, as identity gives it. A disabled member is a member, too. */
export async function memberResourceAccess(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { organizationId = '', userId = '' }: Readonly<Record<string, string>>,
): Promise<ResourceAccess> {
  const [place, member] = await Promise.all([
    access.placeIn(scope, organizationId, principal),
    scope.store.read(memberships).byId(membershipKey(organizationId, userId)),
  ]);
  const ofOrganization = organizationAccess(place);
  if (place === null) return ofOrganization;
  const self: Relation[] = principal.id === userId ? ['self'] : [];
  return {
    ...ofOrganization,
    exists: member !== null,
    relations: new Set([...ofOrganization.relations, ...self]),
  };
}
