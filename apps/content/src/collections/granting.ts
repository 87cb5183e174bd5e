import {
  inviteToCollection,
  listPermissionsAggregateInCollection,
  listTeamPermissionsInCollection,
  listUserPermissionsInCollection,
  removeTeamFromCollection,
  removeUserFromCollection,
  updateTeamPermissionInCollection,
  updateUserPermissionInCollection,
} from '@scriptorium/contracts';
import type { GrantingKind } from '../grants/index.js';
import { changeGrants, collection } from './collection.js';

/** Collections as that on which levels are granted. */
export const collectionGranting: GrantingKind = {
  kind: 'collection',
  operations: {
    listUsers: listUserPermissionsInCollection,
    listTeams: listTeamPermissionsInCollection,
    aggregate: listPermissionsAggregateInCollection,
    invite: inviteToCollection,
    updateUser: updateUserPermissionInCollection,
    removeUser: removeUserFromCollection,
    updateTeam: updateTeamPermissionInCollection,
    removeTeam: removeTeamFromCollection,
  },
  async change(store, id, decide) {
    const { events } = await store.handle(collection, id, (state) => changeGrants(state, decide));
    return events.length > 0;
  },
};
