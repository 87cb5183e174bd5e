import * as z from 'zod';
import { TeamRole, memberRoles } from '../../kernel/access.js';
import { Email, Id, MemberRoleOrGuest, Order, listOf, paging, text } from '../../kernel/common.js';
import { requestBounds } from '../../kernel/limits.js';
import { operation } from '../../kernel/operation.js';
import { Team } from './teams.js';
import { Member } from './member.js';

const base = { service: 'identity', tag: 'Members' } as const;
const params = z.object({ organizationId: Id });
const memberParams = z.object({ organizationId: Id, userId: Id });

export const listMembersInOrganizationById = operation({
  ...base,
  id: 'listMembersInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/members',
  summary: 'List the members of an organization',
  access: { scope: 'organization:members:read', resource: 'organization', view: ['guest'], allow: ['read'] },
  params,
  query: z.object({
    ...paging,
    order: Order.default('desc'),
    role: z.enum([...memberRoles, 'guest']).optional(),
    search: text(0, 256)
      .optional()
      .meta({ description: 'Contained in display name or e-mail address, whatever the case.' }),
    sort: z.enum(['joinedAt', 'lastSeenAt', 'name']).default('joinedAt'),
  }),
  response: listOf(Member),
});

export const getMemberInOrganizationById = operation({
  ...base,
  id: 'getMemberInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/members/{userId}',
  summary: 'Get a member',
  history: { entity: 'roster', id: 'organizationId' },
  access: { scope: 'organization:members:read', resource: 'member', view: ['read', 'self'], allow: ['read', 'self'] },
  params: memberParams,
  response: Member,
});

export const updateMemberInOrganizationById = operation({
  ...base,
  id: 'updateMemberInOrganizationById',
  method: 'PATCH',
  path: '/orgs/{organizationId}/members/{userId}',
  summary: 'Change the role of a member, disable them, or enable them again',
  access: { scope: 'organization:members:write', resource: 'member', view: ['read', 'self'], allow: ['admin'] },
  params: memberParams,
  body: z.object({
    role: MemberRoleOrGuest.optional(),
    disabled: z.boolean().optional().meta({
      description: 'A disabled member keeps role, teams and grants, and has no access to the organization.',
    }),
  }),
  response: Member,
  reasons: ['last_admin'],
});

export const removeMemberFromOrganizationById = operation({
  ...base,
  id: 'removeMemberFromOrganizationById',
  method: 'DELETE',
  path: '/orgs/{organizationId}/members/{userId}',
  summary: 'Remove a member, or leave',
  access: { scope: 'organization:members:write', resource: 'member', view: ['read', 'self'], allow: ['admin', 'self'] },
  params: memberParams,
  reasons: ['last_admin'],
});

export const MemberTeam = z.object({ team: Team, member: z.object({ role: TeamRole }) }).meta({ id: 'MemberTeam' });

export const detachUserFromOrganization = operation({
  ...base,
  id: 'detachUserFromOrganization',
  method: 'DELETE',
  path: '/users/{userId}/orgs/{organizationId}',
  summary: 'Remove a user from an organization (operators)',
  access: { resource: 'user', view: ['anyone'], allow: ['operator'] },
  params: memberParams,
  reasons: ['last_admin'],
});

export const listTeamsForOrganizationMember = operation({
  ...base,
  id: 'listTeamsForOrganizationMember',
  method: 'GET',
  path: '/orgs/{organizationId}/members/{userId}/teams',
  summary: 'List the teams of a member',
  access: { scope: 'organization:members:read', resource: 'member', view: ['read', 'self'], allow: ['read', 'self'] },
  params: memberParams,
  query: z.object({ ...paging, title: text(0, 64).optional() }),
  response: listOf(MemberTeam),
});

export const inviteUsersToOrganization = operation({
  ...base,
  id: 'inviteUsersToOrganization',
  method: 'POST',
  path: '/orgs/{organizationId}/invites',
  batch: `\`emails\` takes ${requestBounds.batch} addresses in one request`,
  deadlineMs: 30_000,
  summary: 'Invite people by e-mail address; known verified addresses become members at once',
  access: { scope: 'organization:members:write', resource: 'organization', view: ['guest'], allow: ['admin'] },
  params,
  body: z.object({
    emails: z
      .array(z.union([Email, z.object({ email: Email, role: MemberRoleOrGuest.optional() })]))
      .min(1)
      .max(requestBounds.batch),
    role: MemberRoleOrGuest.optional(),
    sso: z.boolean().optional(),
  }),
  response: z
    .object({
      users: z.array(Id).meta({ description: 'Users that became members now; empty in a dry run.' }),
      invited: z
        .int()
        .meta({ description: 'Addresses whose invitation is pending; in a dry run those that no member has.' }),
      delayed: z.int().optional().meta({
        description:
          'How many of the mails wait because the caller or the organization has caused as many as there may be in a day. The invitations hold at once.',
      }),
      remaining: z.array(z.string()).optional().meta({
        description: 'Addresses for which there was no time left: nothing was done for them. Send them again.',
      }),
      failedSSOEmails: z.array(z.string()).optional(),
    })
    .meta({ id: 'InviteResult' }),
  reasons: ['limit_reached', 'sso_unavailable'],
});

export const updateOrganizationMemberLastSeenAt = operation({
  ...base,
  id: 'updateOrganizationMemberLastSeenAt',
  method: 'POST',
  path: '/orgs/{organizationId}/ping',
  summary:
    'Say that the caller is there; stored at most once a minute. Answers a token for the site that the organization shows first',
  dryRun: false,
  secret: ['serviceVisitorClaims', 'gitbookVisitorClaims'],
  access: { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['guest'] },
  params,
  response: z
    .object({
      serviceVisitorClaims: z.string().optional().meta({
        description:
          'A token of a visitor for the site that the organization shows first, for an hour, if that asks who its visitors are. Renderers take it as `visitor.jwtToken`.',
      }),
      gitbookVisitorClaims: z
        .string()
        .optional()
        .meta({ description: 'The same, for clients that know it by this name.' }),
    })
    .meta({ id: 'PingResult' }),
});
