import type { Principal, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { access, memberAccess, membershipOf, type Params, partAccess, teamMembers } from '../read-models/index.js';
import { resolveMember } from './members/member.access.js';
import { linkInviteDocs } from './link-invitations/link-invite.projection.js';

type Store = Scope['store'];

/** How access to organizations, their members and their invitation links is resolved. */
export const organizationsAccess: AccessResolvers = {
  organization: ({ store }, principal, params) => organizationAccess(store, principal, params),
  member: resolveMember,
  link_invite: ({ store }, principal, params) =>
    partAccess(store, principal, params, linkInviteDocs, params['inviteId']),
};

async function organizationAccess(
  store: Store,
  principal: Principal,
  { organizationId = '' }: Params,
): Promise<ResourceAccess> {
  const membership = await membershipOf(store, principal, organizationId);
  if (membership === null) return access(true, []);
  // Roles from `read` up may do all that owning a team adds, so the teams are looked up for guests only.
  const owns = !membership.relations.includes('read') && (await ownsTeam(store, organizationId, principal.id));
  return memberAccess(membership, true, owns ? ['team_owner'] : []);
}

async function ownsTeam(store: Store, organization: string, user: string): Promise<boolean> {
  return (await store.read(teamMembers).findOne({ organization, user, role: 'owner' })) !== null;
}
