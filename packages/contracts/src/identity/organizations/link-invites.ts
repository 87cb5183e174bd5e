import * as z from 'zod';
import { MemberRole } from '../../kernel/access.js';
import { Id, MemberRoleOrGuest, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';

const shown = {
  object: z.literal('invite'),
  id: Id.meta({ description: 'Whoever knows it can join: share it with those who may.' }),
  redundant: z.boolean().meta({ description: 'Whether the caller has at least this access already.' }),
  urls: z.object({ location: z.url(), app: z.url() }),
};
const Level = MemberRole.nullable().meta({ description: 'The level on the space or collection; `null`: none.' });

const OrganizationLinkInvite = z
  .object({ ...shown, role: MemberRoleOrGuest })
  .meta({ id: 'OrganizationLinkInvite', description: 'A link to the organization.' });
const ContentLinkInvite = z
  .object({
    ...shown,
    level: Level,
    space: Id.optional().meta({ description: 'The space, if it is a link to one.' }),
    collection: Id.optional().meta({ description: 'The collection, if it is a link to one.' }),
  })
  .meta({
    id: 'ContentLinkInvite',
    description: 'A link to a space or collection: whoever uses it becomes a guest who has this level there.',
  });

export const LinkInvite = z.union([OrganizationLinkInvite, ContentLinkInvite]).meta({ id: 'LinkInvite' });
export type LinkInvite = z.output<typeof LinkInvite>;

/** A request with a role and a space is refused, so that it does not create a link to the whole organization. */
const noRole = z.never('Cannot be beside `role`, which is of the whole organization: a link to content has a `level`');
const ToOrganization = z.object({
  role: MemberRoleOrGuest,
  space: noRole.optional(),
  collection: noRole.optional(),
});
const ToSpace = z.object({ level: Level, space: Id });
const ToCollection = z.object({ level: Level, collection: Id });

const base = { service: 'identity', tag: 'Members' } as const;
const orgParams = z.object({ organizationId: Id });
const params = z.object({ organizationId: Id, inviteId: Id });
const write = { scope: 'organization:members:write' } as const;
const ofOrganization = { ...write, resource: 'organization', view: ['guest'], allow: ['admin'] } as const;
/** Admins for links to the organization, and whoever has this level on the space or collection for those to it. */
const ofInvite = { ...write, resource: 'link_invite', view: ['create'], allow: ['create'] } as const;

export const listOrganizationInviteLinks = operation({
  ...base,
  id: 'listOrganizationInviteLinks',
  method: 'GET',
  path: '/orgs/{organizationId}/link-invites',
  summary: 'List the links by which people can join, newest first',
  access: ofOrganization,
  params: orgParams,
  query: z.object(paging),
  response: listOf(LinkInvite),
});

export const createOrganizationInvite = operation({
  ...base,
  id: 'createOrganizationInvite',
  method: 'POST',
  path: '/orgs/{organizationId}/link-invites',
  summary: 'Create a link by which people can join; it works while the organization has `inviteLinks` on',
  // Admins create links to the organization, and those who have the level `create` on a space or collection links to
  // it.
  access: { ...ofOrganization, allow: ['guest'] },
  params: orgParams,
  body: z.union([ToSpace, ToCollection, ToOrganization]),
  response: LinkInvite,
  status: 201,
  reasons: ['limit_reached'],
});

export const getOrganizationInviteById = operation({
  ...base,
  id: 'getOrganizationInviteById',
  method: 'GET',
  path: '/orgs/{organizationId}/link-invites/{inviteId}',
  summary: 'Get a link by which people can join',
  access: ofInvite,
  params,
  response: LinkInvite,
});

export const updateOrganizationInviteById = operation({
  ...base,
  id: 'updateOrganizationInviteById',
  method: 'PATCH',
  path: '/orgs/{organizationId}/link-invites/{inviteId}',
  summary: 'Change the role or level that a link gives',
  access: ofInvite,
  params,
  body: z.object({
    role: MemberRoleOrGuest.optional().meta({ description: 'Of a link to the organization.' }),
    level: Level.optional().meta({ description: 'Of a link to a space or collection.' }),
  }),
  response: LinkInvite,
});

export const deleteOrganizationInviteById = operation({
  ...base,
  id: 'deleteOrganizationInviteById',
  method: 'DELETE',
  path: '/orgs/{organizationId}/link-invites/{inviteId}',
  summary: 'Delete a link; who joined by it stays',
  access: ofInvite,
  params,
});

export const joinOrganizationWithInvite = operation({
  ...base,
  id: 'joinOrganizationWithInvite',
  method: 'POST',
  path: '/orgs/{organizationId}/invites/{inviteId}',
  summary: 'Join an organization by a link. A link to a space or collection gives its level to members, too',
  access: { tokens: ['personal'], resource: 'installation', view: ['anyone'], allow: ['anyone'] },
  params,
  response: z.object({}).meta({ id: 'JoinResult' }),
  reasons: ['limit_reached'],
});
