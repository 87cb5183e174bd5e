import * as z from 'zod';
import { readerTokens } from '../kernel/access.js';
import { Id, listOf, paging, text } from '../kernel/common.js';
import { TemplateUse } from '../content/shapes/template-use.js';
import { operation } from '../kernel/operation.js';
import { collaborationBounds } from './bounds.js';
import {
  ChangeRequest,
  ChangeRequestContributor,
  ChangeRequestLinkInput,
  ChangeRequestStatus,
} from '../change-requests/change-request.js';
import { DescriptionInput } from './comment.js';

const base = { service: 'collaboration', tag: 'Change requests' } as const;
const spaceParams = z.object({ spaceId: Id });
/** The parameters of the path of a change request. */
export const changeRequestParams = {
  spaceId: Id,
  changeRequestId: Id.meta({ description: 'Id of the change request, or its number in the space.' }),
};
export const changeRequestPath = '/spaces/{spaceId}/change-requests/{changeRequestId}';
const params = z.object(changeRequestParams);

const filters = {
  status: z.array(ChangeRequestStatus).max(4).default(['open']).meta({ description: 'Only those with one of these.' }),
  creator: Id.optional(),
  contributor: Id.optional().meta({
    description:
      'Only those whose content this user has changed, or on which they have commented, or which they have reviewed.',
  }),
  requestedReviewer: Id.optional().meta({
    description: 'Only those of which this user is asked for a review, as a person or in a team.',
  }),
  conversationsIssuesCluster: Id.optional(),
  orderBy: z.enum(['updatedAt', 'createdAt']).default('updatedAt').meta({ description: 'The newest first.' }),
};
/** The subject of a change request in a request. */
export const Subject = text(0, 256);

export const listChangeRequestsForSpace = operation({
  ...base,
  id: 'listChangeRequestsForSpace',
  method: 'GET',
  path: '/spaces/{spaceId}/change-requests',
  summary: 'List the change requests of a space',
  access: { scope: 'space:read', resource: 'recoverable_space', view: ['read'], allow: ['read'] },
  params: spaceParams,
  query: z.object({ ...paging, ...filters }),
  response: listOf(ChangeRequest),
});

export const listChangeRequestsForOrganization = operation({
  ...base,
  id: 'listChangeRequestsForOrganization',
  method: 'GET',
  path: '/orgs/{organizationId}/change-requests',
  summary: 'List the change requests of all spaces of an organization that the caller may view',
  access: { scope: 'organization:read', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: z.object({ organizationId: Id }),
  query: z.object({
    ...paging,
    ...filters,
    space: Id.optional(),
    site: Id.optional().meta({ description: 'Only those of spaces on this site.' }),
  }),
  response: listOf(ChangeRequest),
});

export const createChangeRequest = operation({
  ...base,
  id: 'createChangeRequest',
  method: 'POST',
  path: '/spaces/{spaceId}/change-requests',
  summary: 'Create a change request, as a draft',
  access: { scope: 'space:write', resource: 'space', view: ['read'], allow: ['edit'] },
  params: spaceParams,
  body: z.object({
    subject: Subject.optional(),
    template: TemplateUse.optional().meta({ description: 'Content that it begins with, behind that of the space.' }),
    conversationsIssuesCluster: Id.optional(),
    agentTaskId: Id.optional(),
  }),
  bodyOptional: true,
  response: ChangeRequest,
  status: 201,
  reasons: ['limit_reached', 'space_read_only'],
});

export const getChangeRequestById = operation({
  ...base,
  id: 'getChangeRequestById',
  method: 'GET',
  path: changeRequestPath,
  summary: 'Get a change request',
  access: {
    tokens: readerTokens,
    scope: 'space:read',
    resource: 'recoverable_change_request',
    view: ['read'],
    allow: ['read'],
  },
  params,
  response: ChangeRequest,
});

export const updateChangeRequestById = operation({
  ...base,
  id: 'updateChangeRequestById',
  method: 'PATCH',
  path: changeRequestPath,
  summary: 'Change the subject, description, links or status of a change request',
  access: { scope: 'space:write', resource: 'change_request', view: ['read'], allow: ['edit'] },
  params,
  body: z.object({
    subject: Subject.optional(),
    description: DescriptionInput.nullable().optional(),
    status: z.enum(['draft', 'open', 'archived']).optional(),
    links: z.array(ChangeRequestLinkInput).max(collaborationBounds.links).optional(),
  }),
  response: ChangeRequest,
  reasons: ['limit_reached', 'conflict'],
});

export const listContributorsInChangeRequest = operation({
  ...base,
  id: 'listContributorsInChangeRequest',
  method: 'GET',
  path: `${changeRequestPath}/contributors`,
  summary: 'List who has done what in a change request, the most frequent first, then by name',
  access: { scope: 'space:read', resource: 'recoverable_change_request', view: ['read'], allow: ['read'] },
  params,
  query: z.object(paging),
  response: listOf(ChangeRequestContributor),
});
