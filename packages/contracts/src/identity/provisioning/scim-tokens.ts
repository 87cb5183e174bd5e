import * as z from 'zod';
import { Id, Location, Moment, Timestamp, listOf, paging, text } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';

/** A SCIM token as it is listed. The token itself is shown once, when it is created. */
export const SCIMToken = z
  .object({
    object: z.literal('scim-token'),
    id: Id,
    label: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.optional(),
    expiresAt: Timestamp.optional(),
    service: z.object({ baseURL: z.url() }).meta({
      description: 'Where the identity provider sends its requests. The token is good for this address alone.',
    }),
    urls: Location,
  })
  .meta({ id: 'SCIMToken' });
export type SCIMToken = z.output<typeof SCIMToken>;

export const CreatedSCIMToken = z
  .object({
    ...SCIMToken.shape,
    token: z
      .string()
      .optional()
      .meta({ description: 'Shown this once: a repetition of the request answers without it.' }),
  })
  .meta({ id: 'CreatedSCIMToken' });

const base = { service: 'identity', tag: 'Provisioning' } as const;
const params = z.object({ organizationId: Id });
const access = { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] } as const;

export const listOrganizationSCIMTokens = operation({
  ...base,
  id: 'listOrganizationSCIMTokens',
  method: 'GET',
  path: '/orgs/{organizationId}/scim/tokens',
  summary: 'List the SCIM tokens of an organization, newest first',
  access,
  params,
  query: z.object(paging),
  response: listOf(SCIMToken),
});

export const createOrganizationSCIMToken = operation({
  ...base,
  id: 'createOrganizationSCIMToken',
  method: 'POST',
  path: '/orgs/{organizationId}/scim/tokens',
  summary: 'Create a token with which an identity provider provisions members and teams by SCIM; it is shown this once',
  access,
  params,
  body: z.object({ label: text(1, 50), expiresAt: Moment.optional() }),
  response: CreatedSCIMToken,
  status: 201,
  reasons: ['limit_reached', 'sso_unavailable'],
  secret: ['token'],
});

export const deleteOrganizationSCIMToken = operation({
  ...base,
  id: 'deleteOrganizationSCIMToken',
  method: 'DELETE',
  path: '/orgs/{organizationId}/scim/tokens/{scimTokenId}',
  summary: 'Revoke a SCIM token; the members and teams that were provisioned with it stay',
  access,
  params: z.object({ organizationId: Id, scimTokenId: Id }),
});
