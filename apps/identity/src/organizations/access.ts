import type { Principal, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { access, memberAccess, membershipOf, type Params, partAccess, teamMembers } from '../read-models/index.js';
import { resolveMember } from './members/member.access.js';
import { linkInviteDocs } from './link-invitations/link-invite.projection.js';

type Store = Scope['store'];

/** Resolves the access of callers to organizations, their members and their invitation links. */
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
  // Owning a team gives nothing more to roles from `read` up, so the teams are read for guests only.
  const owns = !membership.relations.includes('read') && (await ownsTeam(store, organizationId, principal.id));
  return memberAccess(membership, true, owns ? ['team_owner'] : []);
}

async function ownsTeam(store: Store, organization: string, user: string): Promise<boolean> {
  return (await store.read(teamMembers).findOne({ organization, user, role: 'owner' })) !== null;
}
