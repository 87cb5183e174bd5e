import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { grantOperations } from './grants.js';

export const {
  listUsers: listUserPermissionsInSpace,
  listTeams: listTeamPermissionsInSpace,
  aggregate: listPermissionsAggregateInSpace,
  invite: inviteToSpace,
  updateUser: updateUserPermissionInSpace,
  removeUser: removeUserFromSpace,
  updateTeam: updateTeamPermissionInSpace,
  removeTeam: removeTeamFromSpace,
} = grantOperations({
  node: 'space',
  Node: 'Space',
  params: z.object({ spaceId: Id }),
  userParams: z.object({ spaceId: Id, userId: Id }),
  teamParams: z.object({ spaceId: Id, teamId: Id }),
});
