import { roleRelations, type Principal, type Relation, type Standing } from '@scriptorium/contracts';
import type { ServiceContext, Standings } from '@scriptorium/platform';
import { memberKey, members } from './members/member.projection.js';
import { organizations } from './organizations/organization.projection.js';
import { teamMemberKey, teamMembers } from './teams/team-member.projection.js';
import { teams } from './teams/team.projection.js';
import { users } from './users/user.projection.js';

/** How callers stand to identity's resources, read from the service's own projections. */
export function identityStandings({ store }: ServiceContext): Standings {
  const find = {
    user: store.collection(users),
    organization: store.collection(organizations),
    member: store.collection(members),
    team: store.collection(teams),
    teamMember: store.collection(teamMembers),
  };
  const ownsTeam = async (organization: string, user: string): Promise<boolean> =>
    (await store.collection(teamMembers).findOne({ organization, user, role: 'owner' })) !== null;

  /** The caller's place in the organization; null where there is none that counts. */
  async function membership(principal: Principal, organization: string): Promise<Relation[] | null> {
    if (principal.organization !== undefined && principal.organization !== organization) return null;
    const [known, member] = await Promise.all([
      find.organization.byId(organization),
      find.member.byId(memberKey(organization, principal.id)),
    ]);
    return known === null || member === null || member.disabled ? null : roleRelations(member.role);
  }

  async function organizationStanding(principal: Principal, { organizationId = '' }: Params): Promise<Standing> {
    const relations = await membership(principal, organizationId);
    if (relations === null) return standing(true, false, []);
    // Roles from `read` up may do all that owning a team adds, so only a guest's teams are looked at.
    if (!relations.includes('read') && (await ownsTeam(organizationId, principal.id))) relations.push('team_owner');
    return standing(true, true, relations);
  }

  async function memberStanding(principal: Principal, { organizationId = '', userId = '' }: Params): Promise<Standing> {
    const relations = await membership(principal, organizationId);
    if (relations === null) return hidden;
    const exists = (await find.member.byId(memberKey(organizationId, userId))) !== null;
    return standing(true, exists, principal.id === userId ? [...relations, 'self'] : relations);
  }

  async function teamStanding(principal: Principal, params: Params): Promise<Standing> {
    const { organizationId = '', teamId = '', userId } = params;
    const [relations, team, place] = await Promise.all([
      membership(principal, organizationId),
      find.team.byId(teamId),
      find.teamMember.byId(teamMemberKey(teamId, principal.id)),
    ]);
    if (relations === null) return hidden;
    if (place !== null) relations.push('team_member');
    if (place?.role === 'owner') relations.push('team_owner');
    if (principal.id === userId) relations.push('self');
    return standing(true, team?.organization === organizationId, relations);
  }

  async function userStanding(principal: Principal, { userId = principal.id }: Params): Promise<Standing> {
    const exists = (await find.user.byId(userId)) !== null;
    return standing(true, exists, [...installationRelations(principal), ...(principal.id === userId ? (['self'] as const) : [])]);
  }

  return {
    installation: (principal) => Promise.resolve(standing(true, true, installationRelations(principal))),
    user: userStanding,
    organization: organizationStanding,
    member: memberStanding,
    team: teamStanding,
  };
}

type Params = Readonly<Record<string, string>>;

const hidden: Standing = { parentVisible: false, exists: false, relations: new Set() };

function standing(parentVisible: boolean, exists: boolean, relations: readonly Relation[]): Standing {
  return { parentVisible, exists, relations: new Set(relations) };
}

function installationRelations(principal: Principal): Relation[] {
  return principal.operator ? ['anyone', 'operator'] : ['anyone'];
}
