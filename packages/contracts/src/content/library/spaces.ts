import * as z from 'zod';
import { MemberRole, readerTokens } from '../../kernel/access.js';
import { Id, LastingUrl, Order, listOf, paging, text } from '../../kernel/common.js';
import { OrganizationMergeRules } from '../../identity/organizations/organizations.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { operation } from '../../kernel/operation.js';
import { shareKeyQuery } from '../shapes/content-query.js';
import { initialContent, withInitialContent } from '../shapes/initial-content.js';
import { DefaultLevel, Emoji, Language, Space } from './space.js';

const SpaceTitle = text(1, 50);
const EditMode = z.enum(['live', 'locked']);

const base = { service: 'content', tag: 'Spaces' } as const;
const orgParams = z.object({ organizationId: Id });
const params = z.object({ spaceId: Id });

export const listSpacesInOrganizationById = operation({
  ...base,
  id: 'listSpacesInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/spaces',
  summary: 'List the spaces of an organization that the caller may view',
  access: { scope: 'space:read', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: orgParams,
  query: z.object({
    ...paging,
    deleted: z.boolean().default(false).meta({ description: '`true`: only those that the caller may restore.' }),
  }),
  response: listOf(Space),
});

export const MemberSpace = z
  .object({
    permission: MemberRole.meta({ description: 'The level of the member on the space.' }),
    space: Space.meta({ description: 'As the caller sees it.' }),
  })
  .meta({ id: 'MemberSpace' });
export type MemberSpace = z.output<typeof MemberSpace>;

export const listSpacesForOrganizationMember = operation({
  service: 'content',
  tag: 'Members',
  id: 'listSpacesForOrganizationMember',
  method: 'GET',
  path: '/orgs/{organizationId}/members/{userId}/spaces',
  summary: 'List the spaces that a member may view, by when they were last changed',
  access: { scope: 'organization:members:read', resource: 'member', view: ['read', 'self'], allow: ['admin', 'self'] },
  params: z.object({ organizationId: Id, userId: Id }),
  query: z.object({ ...paging, order: Order.default('desc') }),
  response: listOf(MemberSpace),
});

export const createSpace = operation({
  ...base,
  id: 'createSpace',
  method: 'POST',
  path: '/orgs/{organizationId}/spaces',
  summary: 'Create a space; the caller becomes its admin',
  // What is needed depends on `parent`, which no path names: `create` there, or in the organization.
  access: { scope: 'space:write', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: orgParams,
  body: withInitialContent(
    {
      title: SpaceTitle.optional().meta({ description: '`Untitled` unless given.' }),
      emoji: Emoji.optional(),
      parent: Id.nullable().optional().meta({ description: 'The collection to put it in.' }),
      language: Language.optional(),
      editMode: EditMode.optional().meta({ description: '`locked` unless given.' }),
    },
    initialContent,
  ),
  bodyOptional: true,
  response: Space,
  status: 201,
  reasons: ['limit_reached'],
});

export const getSpaceById = operation({
  ...base,
  id: 'getSpaceById',
  method: 'GET',
  path: '/spaces/{spaceId}',
  summary: 'Get a space; a deleted one is shown to its admins for seven days',
  history: { entity: 'space', id: 'spaceId' },
  access: openToInstallations(
    {
      tokens: readerTokens,
      scope: 'space:read',
      resource: 'recoverable_space',
      view: ['read'],
      allow: ['read'],
    },
    'space:metadata:read',
  ),
  params,
  query: z.object(shareKeyQuery),
  response: Space,
});

export const updateSpaceById = operation({
  ...base,
  id: 'updateSpaceById',
  method: 'PATCH',
  path: '/spaces/{spaceId}',
  summary: 'Change the settings of a space; an installation changes title, emoji, icon and language alone',
  access: openToInstallations(
    { scope: 'space:write', resource: 'space', view: ['read'], allow: ['create'] },
    'space:metadata:write',
  ),
  params,
  body: z.object({
    title: SpaceTitle.optional(),
    emoji: Emoji.nullable().optional(),
    icon: LastingUrl.nullable()
      .optional()
      .meta({ description: 'Takes the place of the emoji, as the emoji takes its place.' }),
    language: Language.optional(),
    editMode: EditMode.optional(),
    defaultLevel: DefaultLevel.optional(),
    mergeRules: z.union([OrganizationMergeRules, z.object({ type: z.enum(['none', 'inherit']) })]).optional(),
  }),
  response: Space,
  reasons: ['condition_invalid'],
});

export const deleteSpaceById = operation({
  ...base,
  id: 'deleteSpaceById',
  method: 'DELETE',
  path: '/spaces/{spaceId}',
  summary: 'Delete a space; it can be restored for seven days',
  access: { scope: 'space:write', resource: 'space', view: ['read'], allow: ['admin'] },
  params,
});

export const restoreSpace = operation({
  ...base,
  id: 'restoreSpace',
  method: 'POST',
  path: '/spaces/{spaceId}/restore',
  summary: 'Restore a space that was deleted within the last seven days',
  access: { scope: 'space:write', resource: 'recoverable_space', view: ['read'], allow: ['admin'] },
  params,
  response: Space,
  reasons: ['no_change'],
});
