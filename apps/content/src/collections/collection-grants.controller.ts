import { ServiceAccess } from '@scriptorium/access';
import {
  inviteToCollection,
  listPermissionsAggregateInCollection,
  listTeamPermissionsInCollection,
  listUserPermissionsInCollection,
  removeTeamFromCollection,
  removeUserFromCollection,
  updateTeamPermissionInCollection,
  updateUserPermissionInCollection,
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
import { changeGrants, collection } from './collection.js';

/** What collections grant to users and teams. */
@Controller()
export class CollectionGrantsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listUserPermissionsInCollection)
  async listUsers({ params, query }: InputOf<typeof listUserPermissionsInCollection>, call: Call) {
    const node = await requireNode(call, this.access, call.principal, params.collectionId);
    return listUserGrants(call, node, { ...query, operation: call.operation });
  }

  @Handles(listTeamPermissionsInCollection)
  async listTeams({ params, query }: InputOf<typeof listTeamPermissionsInCollection>, call: Call) {
    const node = await requireNode(call, this.access, call.principal, params.collectionId);
    return listTeamGrants(call, node, { ...query, operation: call.operation });
  }

  @Handles(listPermissionsAggregateInCollection)
  async aggregate({ params, query }: InputOf<typeof listPermissionsAggregateInCollection>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) => {
      const node = await requireNode(scope, this.access, call.principal, params.collectionId);
      return listLevels(scope, node, { ...query, operation: call.operation });
    });
  }

  @Handles(inviteToCollection)
  async invite({ params, body }: InputOf<typeof inviteToCollection>, call: Call) {
    await grantTo(call, this.access, await this.changing(call, params.collectionId), body);
  }

  @Handles(updateUserPermissionInCollection)
  async updateUser({ params, body }: InputOf<typeof updateUserPermissionInCollection>, call: Call) {
    await regrant(call, await this.changing(call, params.collectionId), { user: params.userId }, body.role);
  }

  @Handles(removeUserFromCollection)
  async removeUser({ params }: InputOf<typeof removeUserFromCollection>, call: Call) {
    return removeGrant(call, await this.changing(call, params.collectionId), { user: params.userId });
  }

  @Handles(updateTeamPermissionInCollection)
  async updateTeam({ params, body }: InputOf<typeof updateTeamPermissionInCollection>, call: Call) {
    await regrant(call, await this.changing(call, params.collectionId), { team: params.teamId }, body.role);
  }

  @Handles(removeTeamFromCollection)
  async removeTeam({ params }: InputOf<typeof removeTeamFromCollection>, call: Call) {
    return removeGrant(call, await this.changing(call, params.collectionId), { team: params.teamId });
  }

  private async changing(call: Call, id: string) {
    const node = await requireNode(call, this.access, call.principal, id);
    const change: ChangeGrants = async (decide) => {
      const done = await call.store.handle(collection, id, (state) => changeGrants(state, decide));
      return done.events.length > 0;
    };
    return { node, change };
  }
}
