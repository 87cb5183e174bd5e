import {
  inviteToSpace,
  listPermissionsAggregateInSpace,
  listTeamPermissionsInSpace,
  listUserPermissionsInSpace,
  removeTeamFromSpace,
  removeUserFromSpace,
  updateTeamPermissionInSpace,
  updateUserPermissionInSpace,
} from '@scriptorium/contracts';
import type { GrantingKind } from '../grants/index.js';
import { changeGrants, space } from './space.js';

/** Spaces as that on which levels are granted. */
export const spaceGranting: GrantingKind = {
  kind: 'space',
  operations: {
    listUsers: listUserPermissionsInSpace,
    listTeams: listTeamPermissionsInSpace,
    aggregate: listPermissionsAggregateInSpace,
    invite: inviteToSpace,
    updateUser: updateUserPermissionInSpace,
    removeUser: removeUserFromSpace,
    updateTeam: updateTeamPermissionInSpace,
    removeTeam: removeTeamFromSpace,
  },
  async change(store, id, decide) {
    const { events } = await store.within({ space: id }).handle(space, id, (state) => changeGrants(state, decide));
    return events.length > 0;
  },
};
