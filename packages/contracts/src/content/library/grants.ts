import * as z from 'zod';
import { MemberRole } from '../../kernel/access.js';
import { Id, MemberRoleOrGuest, listOf, paging } from '../../kernel/common.js';
import { embed } from '../../kernel/embed.js';
import { Team } from '../../identity/people/teams.js';
import { User } from '../../identity/people/users.js';
import { requestBounds } from '../../kernel/limits.js';
import { operation } from '../../kernel/operation.js';

const granted = {
  permission: MemberRole.optional().meta({ description: 'The level; absent where there is no access.' }),
  access: z.literal('none').optional().meta({ description: 'Set where the grant says that there is no access.' }),
};

export const UserPermission = z.object({ ...granted, user: embed('user', User) }).meta({ id: 'UserPermission' });
export type UserPermission = z.input<typeof UserPermission>;

export const TeamPermission = z.object({ ...granted, team: embed('team', Team) }).meta({ id: 'TeamPermission' });
export type TeamPermission = z.input<typeof TeamPermission>;

/** A kind of thing on which levels are granted, with the parameters of the paths to it and to its grants. */
interface Granting<P extends z.ZodObject, U extends z.ZodObject, T extends z.ZodObject> {
  node: 'space' | 'collection';
  /** The kind with a capital. */
  Node: string;
  params: P;
  userParams: U;
  teamParams: T;
}

const role = z.object({ role: MemberRoleOrGuest.meta({ description: '`null`: no access.' }) });
const some = z.array(Id).min(1).max(requestBounds.batch).optional();

const newGrants = z
  .object({ ...role.shape, users: some, teams: some })
  .refine(({ users, teams }) => users !== undefined || teams !== undefined, {
    path: ['users'],
    message: 'Users or teams have to be named',
  });

/** The operations on the grants of spaces, or of collections. */
export function grantOperations<P extends z.ZodObject, U extends z.ZodObject, T extends z.ZodObject>(
  granting: Granting<P, U, T>,
) {
  return { ...readingGrants(granting), ...givingGrants(granting), ...changingGrants(granting) };
}

function readingGrants<P extends z.ZodObject, U extends z.ZodObject, T extends z.ZodObject>({
  node,
  Node,
  params,
}: Granting<P, U, T>) {
  const path = `/${node}s/{${node}Id}/permissions`;
  const base = { service: 'content', tag: 'Permissions', method: 'GET', params } as const;
  const access = { scope: 'space:permissions:read', resource: node, view: ['read'], allow: ['read'] } as const;
  return {
    listUsers: operation({
      ...base,
      id: `listUserPermissionsIn${Node}`,
      path: `${path}/users`,
      summary: `List what was granted to users on a ${node} itself`,
      access,
      query: z.object(paging),
      response: listOf(UserPermission),
    }),
    listTeams: operation({
      ...base,
      id: `listTeamPermissionsIn${Node}`,
      path: `${path}/teams`,
      summary: `List what was granted to teams on a ${node} itself`,
      access,
      query: z.object(paging),
      response: listOf(TeamPermission),
    }),
    aggregate: operation({
      ...base,
      id: `listPermissionsAggregateIn${Node}`,
      path: `${path}/aggregate`,
      summary: `List the members who have access to a ${node}, each with their level`,
      access,
      query: z.object({ ...paging, role: MemberRole.optional().meta({ description: 'Only those with this level.' }) }),
      response: listOf(UserPermission),
    }),
  };
}

/**
 * The traits of what changes grants. The grant is what the path names; it is part of a space or collection, which has
 * to be visible.
 */
function changing(node: string) {
  const access = { scope: 'space:permissions:write', resource: node, view: ['read'], allow: ['create'] } as const;
  const base = { service: 'content', tag: 'Permissions', access } as const;
  return { whole: base, one: { ...base, access: { ...access, resource: `${node}_grant` } } } as const;
}

function givingGrants<P extends z.ZodObject, U extends z.ZodObject, T extends z.ZodObject>({
  node,
  Node,
  params,
}: Granting<P, U, T>) {
  const path = `/${node}s/{${node}Id}/permissions`;
  const { whole } = changing(node);
  return {
    invite: operation({
      ...whole,
      id: `inviteTo${Node}`,
      method: 'POST',
      path,
      summary: `Grant a level on a ${node} to users and teams`,
      params,
      body: newGrants,
      reasons: ['limit_reached'],
    }),
  };
}

function changingGrants<P extends z.ZodObject, U extends z.ZodObject, T extends z.ZodObject>(
  granting: Granting<P, U, T>,
) {
  const { node, Node, userParams: ofUser, teamParams: ofTeam } = granting;
  const path = `/${node}s/{${node}Id}/permissions`;
  const { one } = changing(node);
  const user = { ...one, path: `${path}/users/{userId}`, params: ofUser };
  const team = { ...one, path: `${path}/teams/{teamId}`, params: ofTeam };
  return {
    updateUser: operation({
      ...user,
      id: `updateUserPermissionIn${Node}`,
      method: 'PATCH',
      summary: `Change what was granted to a user on a ${node}`,
      body: role,
    }),
    removeUser: operation({
      ...user,
      id: `removeUserFrom${Node}`,
      method: 'DELETE',
      summary: `Take back what was granted to a user on a ${node}`,
    }),
    updateTeam: operation({
      ...team,
      id: `updateTeamPermissionIn${Node}`,
      method: 'PATCH',
      summary: `Change what was granted to a team on a ${node}`,
      body: role,
    }),
    removeTeam: operation({
      ...team,
      id: `removeTeamFrom${Node}`,
      method: 'DELETE',
      summary: `Take back what was granted to a team on a ${node}`,
    }),
  };
}
