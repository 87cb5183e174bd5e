import {
  addMemberToOrganizationTeamById, createOrganizationTeam, deleteMemberFromOrganizationTeamById,
  getTeamInOrganizationById, invalid, listTeamMembersInOrganizationById, listTeamsForOrganizationMember,
  listTeamsInOrganizationById, removeTeamFromOrganizationById, updateMembersInOrganizationTeam,
  blaming, requestBounds, requireNone, updateTeamInOrganizationById, type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, justMade, type Call } from '@scriptorium/platform';
import { findMembers, type FoundMembers } from '../members/find-members.queries.js';
import { LastSeen } from '../members/last-seen.operational.js';
import { members } from '../members/member.projection.js';
import { organizations } from '../organizations/organization.projection.js';
import { samlProviders } from '../sso/saml-provider.projection.js';
import { users } from '../users/user.projection.js';
import { changeMembers, create, remove, removeMember, rename, team, type Candidate, type Manager } from './team.js';
import { teamMembers } from './team-member.projection.js';
import { teams } from './team.projection.js';
import { getTeam, listMemberTeams, listTeamMembers, listTeams, teamViewer, type TeamViewer } from './teams.queries.js';

@Controller()
export class TeamsController {
  constructor(
    private readonly context: ServiceContext,
    private readonly lastSeen: LastSeen,
  ) {}

  @Handles(listTeamsInOrganizationById)
  async list({ params, query }: InputOf<typeof listTeamsInOrganizationById>, call: Call) {
    const filter = { ...query, organization: params.organizationId, operation: call.operation };
    return this.rendered(call, filter, (viewer) => listTeams(this.context, filter, viewer));
  }

  @Handles(createOrganizationTeam)
  async create({ params, body }: InputOf<typeof createOrganizationTeam>, call: Call) {
    const organization = params.organizationId;
    const found = await findMembers(this.context, organization, body.members ?? []);
    requireNone(found.missing('body.members'));
    const id = this.context.idFor(call, 'team');
    const members = [...found.members.values()];
    await this.whereThereIsRoom(organization, id, () =>
      this.context.store.handle(team, id, this.context.command(call, organization), (state) =>
        create(state, { organization, title: body.title, members, limit: this.context.limits.membersPerTeam }),
      ),
    );
    return justMade(this.context, () => this.read(id, organization, call));
  }

  @Handles(getTeamInOrganizationById)
  get({ params }: InputOf<typeof getTeamInOrganizationById>, call: Call) {
    const { organizationId: organization, teamId } = params;
    return this.rendered(call, { organization, teamId }, (viewer) => getTeam(this.context, teamId, viewer));
  }

  @Handles(updateTeamInOrganizationById)
  async rename({ params, body }: InputOf<typeof updateTeamInOrganizationById>, call: Call) {
    const by = await this.manager(params.organizationId, call);
    await this.context.store.handle(team, params.teamId, this.context.command(call, params.organizationId), (state) =>
      rename(state, { title: body.title, by }),
    );
    return this.read(params.teamId, params.organizationId, call);
  }

  @Handles(removeTeamFromOrganizationById)
  async remove({ params }: InputOf<typeof removeTeamFromOrganizationById>, call: Call) {
    const command = this.context.command(call, params.organizationId);
    const { events } = await this.context.store.handle(team, params.teamId, command, remove);
    return events.length > 0;
  }

  @Handles(listTeamMembersInOrganizationById)
  async listMembers({ params, query }: InputOf<typeof listTeamMembersInOrganizationById>, call: Call) {
    const filter = { ...query, organization: params.organizationId, team: params.teamId, operation: call.operation };
    const seen = await this.lastSeen.latest(params.organizationId);
    return this.rendered(call, { ...filter, seen }, (viewer) => listTeamMembers(this.context, this.lastSeen, filter, viewer));
  }

  @Handles(updateMembersInOrganizationTeam)
  async changeMembers({ params, body }: InputOf<typeof updateMembersInOrganizationTeam>, call: Call) {
    const organization = params.organizationId;
    const { add = [], remove: leaving = [], memberships = {} } = body;
    if (Object.keys(memberships).length > requestBounds.batch) throw invalid('body.memberships', `At most ${requestBounds.batch} entries`);
    const [added, removed, placed] = await Promise.all([
      findMembers(this.context, organization, add),
      findMembers(this.context, organization, leaving),
      findMembers(this.context, organization, Object.keys(memberships)),
    ]);
    // One who has left the organization can still be named for removal by id: their place may be there yet.
    requireNone([...added.missing('body.add'), ...removed.missingAddresses('body.remove'), ...placed.missing('body.memberships').map(({ message }) => ({ path: 'body.memberships', message }))]);
    const put = candidates(added, placed, memberships);
    const by = await this.manager(organization, call);
    const remove = leaving.map((name) => removed.members.get(name)?.user ?? name);
    await this.context.store.handle(team, params.teamId, this.context.command(call, organization), (state) =>
      changeMembers(state, { put, remove, by, limit: this.context.limits.membersPerTeam, roles: 'body.memberships' }),
    );
  }

  @Handles(addMemberToOrganizationTeamById)
  async putMember({ params, body }: InputOf<typeof addMemberToOrganizationTeamById>, call: Call) {
    const { organizationId: organization, teamId, userId } = params;
    const candidate = (await findMembers(this.context, organization, [userId])).members.get(userId);
    if (candidate === undefined) throw blaming('not_found', 'params.userId', 'Not a member of the organization');
    const by = await this.manager(organization, call);
    await this.context.store.handle(team, teamId, this.context.command(call, organization), (state) =>
      changeMembers(state, { put: [{ ...candidate, role: body?.role }], remove: [], by, limit: this.context.limits.membersPerTeam }),
    );
  }

  @Handles(deleteMemberFromOrganizationTeamById)
  async removeMember({ params }: InputOf<typeof deleteMemberFromOrganizationTeamById>, call: Call) {
    const { organizationId: organization, teamId, userId: user } = params;
    const by = await this.manager(organization, call);
    const command = this.context.command(call, organization);
    const { events } = await this.context.store.handle(team, teamId, command, (state) => removeMember(state, { user, by }));
    return events.length > 0;
  }

  @Handles(listTeamsForOrganizationMember)
  async listOfMember({ params, query }: InputOf<typeof listTeamsForOrganizationMember>, call: Call) {
    const filter = { ...query, organization: params.organizationId, user: params.userId, operation: call.operation };
    return this.rendered(call, filter, (viewer) => listMemberTeams(this.context, filter, viewer));
  }

  /** Teams look different to each caller: by their role, and by their place in the team. */
  private rendered<T>(call: Call, what: { organization: string; [more: string]: unknown }, make: (viewer: TeamViewer) => Promise<T>) {
    const { id } = call.principal;
    return this.context.rendered([call.operation, what, id], [teams, teamMembers, members, users, organizations, samlProviders], async () =>
      make(await teamViewer(this.context, what.organization, id)),
    );
  }

  private async read(id: string, organization: string, call: Call) {
    return getTeam(this.context, id, await teamViewer(this.context, organization, call.principal.id));
  }

  private async manager(organization: string, call: Call): Promise<Manager> {
    const { user, role } = await teamViewer(this.context, organization, call.principal.id);
    return { user, admin: role === 'admin' };
  }

  /** For one more team in the organization. */
  private whereThereIsRoom<T>(organization: string, id: string, work: () => Promise<T>): Promise<T> {
    const { store, room } = this.context;
    const look = async () => ({ present: (await store.collection(organizations).byId(organization))?.teams ?? 0, more: 1 });
    const made = async () => (await store.load(team, id)).status !== 'absent';
    return room.within({ limit: 'teamsPerOrganization', of: organization, most: 1, look, made }, work);
  }
}

type Memberships = NonNullable<InputOf<typeof updateMembersInOrganizationTeam>['body']['memberships']>;

/** Everybody who is to be in the team, once, whatever they were named by; a role that was asked for wins over none. */
function candidates(added: FoundMembers, placed: FoundMembers, memberships: Memberships): Candidate[] {
  const put = new Map<string, Candidate>([...added.members.values()].map((candidate) => [candidate.user, candidate]));
  for (const [name, { role }] of Object.entries(memberships)) {
    const candidate = placed.members.get(name);
    if (candidate === undefined) continue;
    const other = put.get(candidate.user)?.role;
    if (other !== undefined && other !== role) throw invalid('body.memberships', `${name} is named twice, with different roles`);
    put.set(candidate.user, { ...candidate, role });
  }
  return [...put.values()];
}
