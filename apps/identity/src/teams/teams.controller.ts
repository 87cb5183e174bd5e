import {
  addMemberToOrganizationTeamById,
  createOrganizationTeam,
  deleteMemberFromOrganizationTeamById,
  getTeamInOrganizationById,
  invalid,
  listTeamMembersInOrganizationById,
  listTeamsForOrganizationMember,
  listTeamsInOrganizationById,
  lookupTeams,
  removeTeamFromOrganizationById,
  updateMembersInOrganizationTeam,
  blaming,
  requestBounds,
  requireNone,
  updateTeamInOrganizationById,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { findMembers, type FoundMembers, MemberSources } from '../organizations/index.js';
import { createTeam } from './create-team.process.js';
import { lookupTeams as findTeams } from './lookup-teams.queries.js';
import { TeamSearch } from './search/team-search.queries.js';
import { changeMembers, remove, removeMember, rename, team, type Candidate, type Manager } from './team.js';
import { getTeam, listMemberTeams, listTeamMembers, listTeams, type TeamViewer } from './teams.queries.js';

@Controller()
export class TeamsController {
  constructor(
    private readonly sources: MemberSources,
    private readonly search: TeamSearch,
  ) {}

  @Handles(listTeamsInOrganizationById)
  async list({ params, query }: InputOf<typeof listTeamsInOrganizationById>, call: Call) {
    const filter = { ...query, organization: params.organizationId, operation: call.operation };
    const { spaceCounts } = this.sources;
    const from = { spaceCounts, search: this.search };
    return call.cached({ of: filter }, (scope) => listTeams(scope, from, filter, viewerOf(call)));
  }

  @Handles(createOrganizationTeam)
  async create({ params, body }: InputOf<typeof createOrganizationTeam>, call: Call) {
    const organization = params.organizationId;
    const found = await findMembers(call, organization, body.members ?? []);
    requireNone(found.missing('body.members'));
    const id = call.idFor('team');
    const members = [...found.members.values()];
    await createTeam(call, { id, organization, title: body.title, members });
    return readAfterCreate(call, () => getTeam(call, this.sources.spaceCounts, id, viewerOf(call)));
  }

  @Handles(getTeamInOrganizationById)
  get({ params }: InputOf<typeof getTeamInOrganizationById>, call: Call) {
    return call.cached({ of: params }, (scope) =>
      getTeam(scope, this.sources.spaceCounts, params.teamId, viewerOf(call)),
    );
  }

  @Handles(updateTeamInOrganizationById)
  async rename({ params, body }: InputOf<typeof updateTeamInOrganizationById>, call: Call) {
    const by = managerOf(call);
    await call.store.handle(team, params.teamId, (state) => rename(state, { title: body.title, by }));
    return getTeam(call, this.sources.spaceCounts, params.teamId, viewerOf(call));
  }

  @Handles(removeTeamFromOrganizationById)
  async remove({ params }: InputOf<typeof removeTeamFromOrganizationById>, call: Call) {
    const { events } = await call.store.handle(team, params.teamId, remove);
    return events.length > 0;
  }

  @Handles(listTeamMembersInOrganizationById)
  async listMembers({ params, query }: InputOf<typeof listTeamMembersInOrganizationById>, call: Call) {
    const filter = { ...query, organization: params.organizationId, team: params.teamId, operation: call.operation };
    const seen = await this.sources.lastSeen.latest(params.organizationId);
    return call.cached({ of: [filter, seen] }, (scope) => listTeamMembers(scope, this.sources, filter, viewerOf(call)));
  }

  @Handles(updateMembersInOrganizationTeam)
  async changeMembers({ params, body }: InputOf<typeof updateMembersInOrganizationTeam>, call: Call) {
    const organization = params.organizationId;
    const { add = [], remove: leaving = [], memberships = {} } = body;
    if (Object.keys(memberships).length > requestBounds.batch)
      throw invalid('body.memberships', `Must have at most ${requestBounds.batch} entries`);
    const [added, removed, withRoles] = await Promise.all([
      findMembers(call, organization, add),
      findMembers(call, organization, leaving),
      findMembers(call, organization, Object.keys(memberships)),
    ]);
    // Somebody who has left the organization can still be removed by id, since the team may not have recorded that yet.
    requireNone([
      ...added.missing('body.add'),
      ...removed.missingAddresses('body.remove'),
      ...withRoles.missing('body.memberships').map(({ message }) => ({ path: 'body.memberships', message })),
    ]);
    const put = candidates(added, withRoles, memberships);
    const by = managerOf(call);
    const remove = leaving.map((name) => removed.members.get(name)?.user ?? name);
    await call.store.handle(team, params.teamId, (state) =>
      changeMembers(state, { put, remove, by, limit: call.limits.membersPerTeam, roles: 'body.memberships' }),
    );
  }

  @Handles(addMemberToOrganizationTeamById)
  async putMember({ params, body }: InputOf<typeof addMemberToOrganizationTeamById>, call: Call) {
    const { organizationId: organization, teamId, userId } = params;
    const candidate = (await findMembers(call, organization, [userId])).members.get(userId);
    if (candidate === undefined) throw blaming('not_found', 'params.userId', 'Must be a member of the organization');
    const by = managerOf(call);
    await call.store.handle(team, teamId, (state) =>
      changeMembers(state, {
        put: [{ ...candidate, role: body?.role }],
        remove: [],
        by,
        limit: call.limits.membersPerTeam,
      }),
    );
  }

  @Handles(deleteMemberFromOrganizationTeamById)
  async removeMember({ params }: InputOf<typeof deleteMemberFromOrganizationTeamById>, call: Call) {
    const { teamId, userId: user } = params;
    const by = managerOf(call);
    const { events } = await call.store.handle(team, teamId, (state) => removeMember(state, { user, by }));
    return events.length > 0;
  }

  @Handles(listTeamsForOrganizationMember)
  async listOfMember({ params, query }: InputOf<typeof listTeamsForOrganizationMember>, call: Call) {
    const filter = { ...query, organization: params.organizationId, user: params.userId, operation: call.operation };
    return call.cached({ of: filter }, (scope) =>
      listMemberTeams(scope, this.sources.spaceCounts, filter, viewerOf(call)),
    );
  }

  @Handles(lookupTeams)
  async lookup({ ids }: z.output<(typeof lookupTeams)['input']>, call: Call<Principal | null>) {
    return { items: await findTeams(call, this.sources.spaceCounts, call.principal, ids) };
  }
}

/** The caller as a viewer of the organization's teams. */
function viewerOf({ principal, access }: Call): TeamViewer {
  return { user: principal.id, role: access.role ?? null };
}

function managerOf({ principal, access }: Call): Manager {
  return { user: principal.id, admin: access.relations.has('admin') };
}

type Memberships = NonNullable<InputOf<typeof updateMembersInOrganizationTeam>['body']['memberships']>;

/** The people to add, each once, by whatever name they were given. A given role takes precedence over none. */
function candidates(added: FoundMembers, withRoles: FoundMembers, memberships: Memberships): Candidate[] {
  const put = new Map<string, Candidate>([...added.members.values()].map((candidate) => [candidate.user, candidate]));
  for (const [name, { role }] of Object.entries(memberships)) {
    const candidate = withRoles.members.get(name);
    if (candidate === undefined) continue;
    const other = put.get(candidate.user)?.role;
    if (other !== undefined && other !== role)
      throw invalid('body.memberships', `${name} is listed twice with different roles`);
    put.set(candidate.user, { ...candidate, role });
  }
  return [...put.values()];
}
