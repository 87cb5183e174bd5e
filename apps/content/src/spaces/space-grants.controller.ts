import { ServiceAccess } from '@scriptorium/access';
import {
  inviteToSpace,
  listPermissionsAggregateInSpace,
  listTeamPermissionsInSpace,
  listUserPermissionsInSpace,
  removeTeamFromSpace,
  removeUserFromSpace,
  updateTeamPermissionInSpace,
  updateUserPermissionInSpace,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import {
  grantTo,
  listLevels,
  listTeamGrants,
  listUserGrants,
  regrant,
  removeGrant,
  type ChangeGrants,
} from '../grants/index.js';
import { requireNode } from '../library/index.js';
import { changeGrants, space } from './space.js';

/** What spaces grant to users and teams. */
@Controller()
export class SpaceGrantsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listUserPermissionsInSpace)
  async listUsers({ params, query }: InputOf<typeof listUserPermissionsInSpace>, call: Call) {
    const node = await requireNode(call, this.access, call.principal, params.spaceId);
    return listUserGrants(call, node, { ...query, operation: call.operation });
  }

  @Handles(listTeamPermissionsInSpace)
  async listTeams({ params, query }: InputOf<typeof listTeamPermissionsInSpace>, call: Call) {
    const node = await requireNode(call, this.access, call.principal, params.spaceId);
    return listTeamGrants(call, node, { ...query, operation: call.operation });
  }

  @Handles(listPermissionsAggregateInSpace)
  async aggregate({ params, query }: InputOf<typeof listPermissionsAggregateInSpace>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) => {
      const node = await requireNode(scope, this.access, call.principal, params.spaceId);
      return listLevels(scope, node, { ...query, operation: call.operation });
    });
  }

  @Handles(inviteToSpace)
  async invite({ params, body }: InputOf<typeof inviteToSpace>, call: Call) {
    await grantTo(call, this.access, await this.changing(call, params.spaceId), body);
  }

  @Handles(updateUserPermissionInSpace)
  async updateUser({ params, body }: InputOf<typeof updateUserPermissionInSpace>, call: Call) {
    await regrant(call, await this.changing(call, params.spaceId), { user: params.userId }, body.role);
  }

  @Handles(removeUserFromSpace)
  async removeUser({ params }: InputOf<typeof removeUserFromSpace>, call: Call) {
    return removeGrant(call, await this.changing(call, params.spaceId), { user: params.userId });
  }

  @Handles(updateTeamPermissionInSpace)
  async updateTeam({ params, body }: InputOf<typeof updateTeamPermissionInSpace>, call: Call) {
    await regrant(call, await this.changing(call, params.spaceId), { team: params.teamId }, body.role);
  }

  @Handles(removeTeamFromSpace)
  async removeTeam({ params }: InputOf<typeof removeTeamFromSpace>, call: Call) {
    return removeGrant(call, await this.changing(call, params.spaceId), { team: params.teamId });
  }

  private async changing(call: Call, id: string) {
    const node = await requireNode(call, this.access, call.principal, id);
    const change: ChangeGrants = async (decide) => {
      const done = await call.store.within({ space: id }).handle(space, id, (state) => changeGrants(state, decide));
      return done.events.length > 0;
    };
    return { node, change };
  }
}
