import * as z from 'zod';
import { TeamRole } from '../../kernel/access.js';
import { Email, Id, Location, Timestamp, listOf, paging, text } from '../../kernel/common.js';
import { requestBounds } from '../../kernel/limits.js';
import { operation } from '../../kernel/operation.js';
import { Member } from './member.js';

export const Team = z
  .object({
    object: z.literal('team'),
    id: Id,
    title: z.string(),
    members: z.int().min(0),
    spaces: z.int().min(0).meta({ description: 'The number of spaces with a grant to the team itself.' }),
    createdAt: Timestamp,
    permissions: z.object({ admin: z.boolean(), view: z.boolean() }),
    urls: Location,
  })
  .meta({ id: 'Team' });
export type Team = z.output<typeof Team>;

export const TeamMember = z
  .object({
    organization: Member,
    team: z.object({ role: TeamRole }),
    permissions: z.object({ view: z.boolean() }),
  })
  .meta({ id: 'TeamMember' });

const TeamTitle = text(1, 64);
/** A user id or the e-mail address of a member. */
const UserOrEmail = z.union([Id, Email]);

const base = { service: 'identity', tag: 'Teams' } as const;
const orgParams = z.object({ organizationId: Id });
const params = z.object({ organizationId: Id, teamId: Id });
const memberParams = z.object({ organizationId: Id, teamId: Id, userId: Id });
const readTeam = {
  scope: 'organization:read',
  resource: 'team',
  view: ['read', 'team_member'],
  allow: ['read', 'team_member'],
} as const;
const manageMembers = {
  scope: 'organization:members:write',
  resource: 'team',
  view: ['read', 'team_member'],
  allow: ['admin', 'team_owner'],
} as const;

export const listTeamsInOrganizationById = operation({
  ...base,
  id: 'listTeamsInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/teams',
  summary: 'List the teams of an organization',
  access: { scope: 'organization:read', resource: 'organization', view: ['guest'], allow: ['read', 'team_owner'] },
  params: orgParams,
  query: z.object({
    ...paging,
    owner: Id.optional().meta({ description: 'Only teams that this member owns.' }),
    title: text(0, 64).optional().meta({ description: 'Contained in the title, whatever the case.' }),
  }),
  response: listOf(Team),
});

export const createOrganizationTeam = operation({
  ...base,
  id: 'createOrganizationTeam',
  method: 'PUT',
  path: '/orgs/{organizationId}/teams',
  summary: 'Create a team',
  access: { scope: 'organization:write', resource: 'organization', view: ['guest'], allow: ['admin'] },
  params: orgParams,
  body: z.object({ title: TeamTitle, members: z.array(Id).max(requestBounds.batch).optional() }),
  response: Team,
  status: 201,
  reasons: ['limit_reached'],
});

export const getTeamInOrganizationById = operation({
  ...base,
  id: 'getTeamInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/teams/{teamId}',
  summary: 'Get a team',
  history: { entity: 'team', id: 'teamId' },
  access: readTeam,
  params,
  response: Team,
});

export const updateTeamInOrganizationById = operation({
  ...base,
  id: 'updateTeamInOrganizationById',
  method: 'PATCH',
  path: '/orgs/{organizationId}/teams/{teamId}',
  summary: 'Rename a team',
  access: { ...manageMembers, scope: 'organization:write' },
  params,
  body: z.object({ title: TeamTitle }),
  response: Team,
});

export const removeTeamFromOrganizationById = operation({
  ...base,
  id: 'removeTeamFromOrganizationById',
  method: 'DELETE',
  path: '/orgs/{organizationId}/teams/{teamId}',
  summary: 'Delete a team',
  access: { scope: 'organization:write', resource: 'team', view: ['read', 'team_member'], allow: ['admin'] },
  params,
});

export const listTeamMembersInOrganizationById = operation({
  ...base,
  id: 'listTeamMembersInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/teams/{teamId}/members',
  summary: 'List the members of a team',
  access: { ...readTeam, scope: 'organization:members:read' },
  params,
  query: z.object(paging),
  response: listOf(TeamMember),
});

const manyMembers = `\`add\` and \`remove\` of PUT /orgs/{organizationId}/teams/{teamId}/members take ${requestBounds.batch} people in one request`;

export const updateMembersInOrganizationTeam = operation({
  ...base,
  id: 'updateMembersInOrganizationTeam',
  method: 'PUT',
  path: '/orgs/{organizationId}/teams/{teamId}/members',
  batch: manyMembers,
  summary: 'Add, change and remove members of a team at once',
  access: manageMembers,
  params,
  body: z.object({
    add: z.array(UserOrEmail).max(requestBounds.batch).optional(),
    remove: z.array(UserOrEmail).max(requestBounds.batch).optional(),
    memberships: z.record(z.string().max(254), z.object({ role: TeamRole })).optional(),
  }),
  reasons: ['limit_reached'],
});

export const addMemberToOrganizationTeamById = operation({
  ...base,
  id: 'addMemberToOrganizationTeamById',
  method: 'PUT',
  path: '/orgs/{organizationId}/teams/{teamId}/members/{userId}',
  batch: manyMembers,
  summary: 'Add a member to a team, or change the role there',
  access: manageMembers,
  params: memberParams,
  body: z.object({ role: TeamRole.optional() }),
  bodyOptional: true,
  reasons: ['limit_reached'],
});

export const deleteMemberFromOrganizationTeamById = operation({
  ...base,
  id: 'deleteMemberFromOrganizationTeamById',
  method: 'DELETE',
  path: '/orgs/{organizationId}/teams/{teamId}/members/{userId}',
  batch: manyMembers,
  summary: 'Remove a member from a team, or leave it',
  access: { ...manageMembers, allow: ['admin', 'team_owner', 'self'] },
  params: memberParams,
});
