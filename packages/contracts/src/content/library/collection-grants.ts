import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { grantOperations } from './grants.js';

export const {
  listUsers: listUserPermissionsInCollection,
  listTeams: listTeamPermissionsInCollection,
  aggregate: listPermissionsAggregateInCollection,
  invite: inviteToCollection,
  updateUser: updateUserPermissionInCollection,
  removeUser: removeUserFromCollection,
  updateTeam: updateTeamPermissionInCollection,
  removeTeam: removeTeamFromCollection,
} = grantOperations({
  node: 'collection',
  Node: 'Collection',
  params: z.object({ collectionId: Id }),
  userParams: z.object({ collectionId: Id, userId: Id }),
  teamParams: z.object({ collectionId: Id, teamId: Id }),
});
