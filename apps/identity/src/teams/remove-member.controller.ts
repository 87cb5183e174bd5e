import { detachUserFromOrganization, removeMemberFromOrganizationById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type { RosterEvent } from '../events/index.js';
import { detachMember, removeMember, roster, type Roster } from '../organizations/index.js';
import { endTeamMemberships } from './end-team-memberships.process.js';

/** Removes members from an organization and from its teams. */
@Controller()
export class RemoveMemberController {
  @Handles(removeMemberFromOrganizationById)
  async remove({ params }: InputOf<typeof removeMemberFromOrganizationById>, call: Call) {
    const { organizationId, userId: user } = params;
    return this.removeBy(call, organizationId, (state) => removeMember(state, { user, by: call.principal.id }));
  }

  @Handles(detachUserFromOrganization)
  async detach({ params }: InputOf<typeof detachUserFromOrganization>, call: Call) {
    return this.removeBy(call, params.organizationId, (state) => detachMember(state, { user: params.userId }));
  }

  private async removeBy(call: Call, organization: string, decide: (state: Roster) => RosterEvent[]): Promise<boolean> {
    const { events } = await call.store.handle(roster, organization, decide);
    for (const event of events) {
      if (event.type === 'MemberRemoved') await this.leaveTeams(call, event.data);
    }
    return events.length > 0;
  }

  /**
   * Runs before the answer, so that the next read shows the right number of team members. If it fails, the reactor does
   * it.
   */
  private async leaveTeams(call: Call, ended: { user: string; membership: string }): Promise<void> {
    try {
      await endTeamMemberships(call, ended);
    } catch (error) {
      call.logger.warn(
        { err: error, requestId: call.requestId },
        'the team memberships of a removed member are left to the reactor',
      );
    }
  }
}
