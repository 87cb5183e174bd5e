import type { NodeKind } from '@scriptorium/access';
import type {
  inviteToCollection,
  inviteToSpace,
  listPermissionsAggregateInCollection,
  listPermissionsAggregateInSpace,
  listTeamPermissionsInCollection,
  listTeamPermissionsInSpace,
  listUserPermissionsInCollection,
  listUserPermissionsInSpace,
  removeTeamFromCollection,
  removeTeamFromSpace,
  removeUserFromCollection,
  removeUserFromSpace,
  updateTeamPermissionInCollection,
  updateTeamPermissionInSpace,
  updateUserPermissionInCollection,
  updateUserPermissionInSpace,
} from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { GrantChange, Grants } from './grants.js';

/** The operations on grants of one kind of node. */
export interface GrantOperations {
  listUsers: typeof listUserPermissionsInSpace | typeof listUserPermissionsInCollection;
  listTeams: typeof listTeamPermissionsInSpace | typeof listTeamPermissionsInCollection;
  aggregate: typeof listPermissionsAggregateInSpace | typeof listPermissionsAggregateInCollection;
  invite: typeof inviteToSpace | typeof inviteToCollection;
  updateUser: typeof updateUserPermissionInSpace | typeof updateUserPermissionInCollection;
  removeUser: typeof removeUserFromSpace | typeof removeUserFromCollection;
  updateTeam: typeof updateTeamPermissionInSpace | typeof updateTeamPermissionInCollection;
  removeTeam: typeof removeTeamFromSpace | typeof removeTeamFromCollection;
}

/** Decides which grants change. */
export type DecideGrants = (grants: Grants) => GrantChange[];

/** Spaces or collections, as that on which levels are granted. */
export interface GrantingKind {
  kind: NodeKind;
  operations: GrantOperations;
  /**
   * Changes the grants of one of them, and says whether anything was changed.
   * @throws AppError `not_found` when it is not there
   */
  change(store: StoreScope, id: string, decide: DecideGrants): Promise<boolean>;
}
