import type { Principal, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { access, memberAccess, membershipOf, type Params, teamMembers } from '../organization-read-models/index.js';
import { type ContentNodes } from './spaces/content-nodes.queries.js';
import { resolveMember } from './members/member.access.js';
import { resolveLinkInvite } from './link-invitations/link-invites.access.js';

type Store = Scope['store'];

/** Resolves the access of callers to organizations, their members and their invitation links. */
export const organizationsAccess = (nodes: ContentNodes): AccessResolvers => ({
  organization: ({ store }, principal, params) => organizationAccess(store, principal, params),
  member: resolveMember,
  link_invite: (scope, principal, params) => resolveLinkInvite(scope, nodes, principal, params),
});

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
