import * as z from 'zod';
import { MemberRole } from '../../kernel/access.js';
import { Id, MemberRoleOrGuest, listOf, paging } from '../../kernel/common.js';
import { TeamPermission, UserPermission } from '../../content/library/grants.js';
import { requestBounds } from '../../kernel/limits.js';
import { operation } from '../../kernel/operation.js';
import { part, siteParams, sitePath } from '../base.js';

const tag = 'Permissions';
const path = `${sitePath}/permissions`;
const params = z.object(siteParams);
const userParams = z.object({ ...siteParams, userId: Id });
const teamParams = z.object({ ...siteParams, teamId: Id });
const role = z.object({ role: MemberRoleOrGuest.meta({ description: '`null`: no access.' }) });
const some = z.array(Id).min(1).max(requestBounds.batch).optional();

const reading = {
  service: 'sites',
  tag,
  method: 'GET',
  params,
  access: { scope: 'site:permissions:read', resource: 'site', view: ['read'], allow: ['admin'] },
} as const;
const access = { scope: 'site:permissions:write', resource: 'site', view: ['read'], allow: ['admin'] } as const;
const one = { service: 'sites', tag, access: { ...access, ...part } } as const;

/** The level of a member on a site, with what gives it to them. */
export const UserSitePermission = z
  .object({
    ...UserPermission.shape,
    origin: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('site'), organization: Id, site: Id }),
        z.object({ type: z.literal('organization'), organization: Id }),
      ])
      .meta({ description: 'What gives this level: a grant on the site, or the role in the organization.' }),
  })
  .meta({ id: 'UserSitePermission' });
export type UserSitePermission = z.input<typeof UserSitePermission>;

export const listUserPermissionsInSite = operation({
  ...reading,
  id: 'listUserPermissionsInSite',
  path: `${path}/users`,
  summary: 'List what was granted to users on a site',
  query: z.object(paging),
  response: listOf(UserPermission),
});

export const listTeamPermissionsInSite = operation({
  ...reading,
  id: 'listTeamPermissionsInSite',
  path: `${path}/teams`,
  summary: 'List what was granted to teams on a site',
  query: z.object(paging),
  response: listOf(TeamPermission),
});

export const listPermissionsAggregateInSite = operation({
  ...reading,
  id: 'listPermissionsAggregateInSite',
  path: `${path}/aggregate`,
  summary: 'List the members who have access to a site, each with their level',
  query: z.object({ ...paging, role: MemberRole.optional().meta({ description: 'Only those with this level.' }) }),
  response: listOf(UserSitePermission),
});

export const inviteToSite = operation({
  service: 'sites',
  tag,
  access,
  id: 'inviteToSite',
  method: 'POST',
  path,
  summary: 'Grant a level on a site to users and teams',
  params,
  body: z
    .object({ ...role.shape, users: some, teams: some })
    .refine(({ users, teams }) => users !== undefined || teams !== undefined, {
      path: ['users'],
      message: 'Users or teams have to be named',
    }),
  reasons: ['limit_reached'],
});

export const updateUserPermissionInSite = operation({
  ...one,
  id: 'updateUserPermissionInSite',
  method: 'PATCH',
  path: `${path}/users/{userId}`,
  summary: 'Change what was granted to a user on a site',
  params: userParams,
  body: role,
});

export const removeUserFromSite = operation({
  ...one,
  id: 'removeUserFromSite',
  method: 'DELETE',
  path: `${path}/users/{userId}`,
  summary: 'Take back what was granted to a user on a site',
  params: userParams,
});

export const updateTeamPermissionInSite = operation({
  ...one,
  id: 'updateTeamPermissionInSite',
  method: 'PATCH',
  path: `${path}/teams/{teamId}`,
  summary: 'Change what was granted to a team on a site',
  params: teamParams,
  body: role,
});

export const removeTeamFromSite = operation({
  ...one,
  id: 'removeTeamFromSite',
  method: 'DELETE',
  path: `${path}/teams/{teamId}`,
  summary: 'Take back what was granted to a team on a site',
  params: teamParams,
});
