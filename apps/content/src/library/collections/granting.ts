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
import { onceItFollows } from '../nodes/index.js';
import { changeGrants, collection, transferTo } from './collection.js';

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
    const { organization } = store.context;
    const change = () => store.handle(collection, id, (state) => changeGrants(state, organization, decide));
    const { events } = await onceItFollows(store, id, change, (to) =>
      store.step('follow').handle(collection, id, (state) => transferTo(state, to)),
    );
    return events.length > 0;
  },
};
