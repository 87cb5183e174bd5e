import {
  getMemberInOrganizationById, listMembersInOrganizationById, removeMemberFromOrganizationById,
  updateMemberInOrganizationById, type InputOf,
} from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { dropFromTeams } from '../teams/drop-from-teams.process.js';
import { organizations } from '../organizations/organization.projection.js';
import { samlProviders } from '../sso/saml-provider.projection.js';
import { teamMembers } from '../teams/team-member.projection.js';
import { users } from '../users/user.projection.js';
import { LastSeen } from './last-seen.operational.js';
import { members } from './member.projection.js';
import { getMember, listMembers } from './members.queries.js';
import { changeRole, removeMember, roster } from './roster.js';

/** What members are shown from, besides when they were last seen. They look the same to all who may see them. */
const shown = [members, users, teamMembers, organizations, samlProviders];

@Controller()
export class MembersController {
  constructor(
    private readonly context: ServiceContext,
    private readonly lastSeen: LastSeen,
  ) {}

  @Handles(listMembersInOrganizationById)
  async list({ params, query }: InputOf<typeof listMembersInOrganizationById>, call: Call) {
    const filter = { ...query, organization: params.organizationId, operation: call.operation };
    const seen = await this.lastSeen.latest(params.organizationId);
    return this.context.rendered([call.operation, filter, seen], shown, () => listMembers(this.context, this.lastSeen, filter));
  }

  @Handles(getMemberInOrganizationById)
  async get({ params }: InputOf<typeof getMemberInOrganizationById>, call: Call) {
    const seen = await this.lastSeen.latest(params.organizationId);
    return this.context.rendered([call.operation, params, seen], shown, () => getMember(this.context, this.lastSeen, params.organizationId, params.userId));
  }

  @Handles(updateMemberInOrganizationById)
  async changeRole({ params, body }: InputOf<typeof updateMemberInOrganizationById>, call: Call) {
    const { organizationId: organization, userId: user } = params;
    const { role } = body;
    if (role !== undefined) {
      await this.context.store.handle(roster, organization, this.context.command(call, organization), (state) =>
        changeRole(state, { user, role, by: call.principal.id }),
      );
    }
    return getMember(this.context, this.lastSeen, organization, user);
  }

  @Handles(removeMemberFromOrganizationById)
  async remove({ params }: InputOf<typeof removeMemberFromOrganizationById>, call: Call) {
    const { organizationId: organization, userId: user } = params;
    const command = this.context.command(call, organization);
    const { events } = await this.context.store.handle(roster, organization, command, (state) =>
      removeMember(state, { user, by: call.principal.id }),
    );
    for (const event of events) {
      if (event.type === 'MemberRemoved') await this.leaveTeams(event.data, command);
    }
    return events.length > 0;
  }

  /** Now rather than soon, so that the teams' numbers are right in the next answer; what fails is the reactor's to finish. */
  private async leaveTeams(stay: { user: string; membership: string }, command: CommandContext): Promise<void> {
    try {
      await dropFromTeams(this.context.store, stay, command);
    } catch (error) {
      this.context.logger.warn({ err: error, requestId: command.correlation }, 'teams of a removed member are left to the reactor');
    }
  }
}
