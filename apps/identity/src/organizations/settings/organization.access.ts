import type { ResolveAccess, Scope } from '@scriptorium/platform';
import { access, memberAccess, membershipOf, teamMembers } from '../../organization-read-models/index.js';

/** Access to an organization. */
export const resolveOrganization: ResolveAccess = async ({ store }, principal, { organizationId = '' }) => {
  const membership = await membershipOf(store, principal, organizationId);
  if (membership === null) return access(true, []);
  // Owning a team gives nothing more to roles from `read` up, so the teams are read for guests only.
  const owns = !membership.relations.includes('read') && (await ownsTeam(store, organizationId, principal.id));
  return memberAccess(membership, true, owns ? ['team_owner'] : []);
};

async function ownsTeam(store: Scope['store'], organization: string, user: string): Promise<boolean> {
  return (await store.read(teamMembers).findOne({ organization, user, role: 'owner' })) !== null;
}
