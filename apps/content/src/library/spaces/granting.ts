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
import { onceItFollows } from '../nodes/index.js';
import { changeGrants, space, transferTo } from './space.js';

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
    const here = store.within({ space: id });
    const { organization } = store.context;
    const change = () => here.handle(space, id, (state) => changeGrants(state, organization, decide));
    const { events } = await onceItFollows(store, id, change, (to) =>
      here.step('follow').handle(space, id, (state) => transferTo(state, to)),
    );
    return events.length > 0;
  },
};
