import type { Relation } from '@scriptorium/contracts';
import type { ResolveAccess } from '@scriptorium/platform';
import {
  memberAccess,
  membershipOf,
  noAccess,
  selfRelation,
  teamMemberKey,
  teamMembers,
} from '../organization-read-models/index.js';
import { teams } from './team.projection.js';

/** Access to a team, or to what `userId` names in it. */
export const resolveTeam: ResolveAccess = async (
  { store },
  principal,
  { organizationId = '', teamId = '', userId = '' },
) => {
  const [membership, team, inTeam] = await Promise.all([
    membershipOf(store, principal, organizationId),
    store.read(teams).byId(teamId),
    store.read(teamMembers).byId(teamMemberKey(teamId, principal.id)),
  ]);
  if (membership === null) return noAccess;
  const ofTeam: Relation[] =
    inTeam === null ? [] : inTeam.role === 'owner' ? ['team_member', 'team_owner'] : ['team_member'];
  return memberAccess(membership, team?.organization === organizationId, [
    ...ofTeam,
    ...selfRelation(principal, userId),
  ]);
};
