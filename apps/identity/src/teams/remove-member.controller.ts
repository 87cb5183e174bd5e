import { detachUserFromOrganization, removeMemberFromOrganizationById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { detachMember, removeMember } from '../organizations/index.js';
import { leaveOrganization } from './leave-organization.process.js';

/** Removes members from an organization and from its teams. */
@Controller()
export class RemoveMemberController {
  @Handles(removeMemberFromOrganizationById)
  async remove({ params }: InputOf<typeof removeMemberFromOrganizationById>, call: Call) {
    const { organizationId, userId: user } = params;
    return leaveOrganization(call, organizationId, (state) => removeMember(state, { user, by: call.principal.id }));
  }

  @Handles(detachUserFromOrganization)
  async detach({ params }: InputOf<typeof detachUserFromOrganization>, call: Call) {
    return leaveOrganization(call, params.organizationId, (state) => detachMember(state, { user: params.userId }));
  }
}
