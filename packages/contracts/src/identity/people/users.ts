import * as z from 'zod';
import { Email, Id, LastingUrl, Location, Moment, Timestamp, listOf, paging, text } from '../../kernel/common.js';
import { scopes } from '../../kernel/access.js';
import { operation } from '../../kernel/operation.js';
import { NewPassword } from './password.js';

export const User = z
  .object({
    object: z.literal('user'),
    id: Id,
    displayName: z.string(),
    email: z.string().optional().meta({ description: 'Shown to the person and to members of a shared organization.' }),
    photoURL: z.string().optional(),
    urls: Location,
  })
  .meta({ id: 'User' });
export type User = z.output<typeof User>;

/** A token as it is listed. The token itself is shown once, when it is created. */
const TokenScope = z.enum(scopes).meta({ id: 'TokenScope' });

export const UserToken = z
  .object({
    object: z.literal('user-token'),
    id: Id,
    label: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.optional(),
    expiresAt: Timestamp.optional(),
    scopes: z.array(TokenScope).optional(),
    urls: Location,
  })
  .meta({ id: 'UserToken' });
export type UserToken = z.output<typeof UserToken>;

export const CreatedUserToken = z
  .object({
    ...UserToken.shape,
    token: z
      .string()
      .optional()
      .meta({ description: 'Shown this once: a repetition of the request answers without it.' }),
  })
  .meta({ id: 'CreatedUserToken' });

const NewToken = z.object({
  label: text(1, 50),
  expiresAt: Moment.optional(),
  scopes: z.array(TokenScope).max(scopes.length).optional(),
});

const base = { service: 'identity', tag: 'Users' } as const;
const tokenCalls = { tokens: ['personal', 'session'], resource: 'user', view: ['self'], allow: ['self'] } as const;
const userParams = z.object({ userId: Id });

export const getAuthenticatedUser = operation({
  ...base,
  id: 'getAuthenticatedUser',
  method: 'GET',
  path: '/user',
  summary: 'Get the caller',
  access: { scope: 'user:read', resource: 'user', view: ['self'], allow: ['self'] },
  response: User,
});

export const getUserById = operation({
  ...base,
  id: 'getUserById',
  method: 'GET',
  path: '/users/{userId}',
  summary: 'Get a user',
  access: { scope: 'user:read', resource: 'user', view: ['anyone'], allow: ['anyone'] },
  params: userParams,
  response: User,
});

export const updateUserById = operation({
  ...base,
  id: 'updateUserById',
  method: 'PATCH',
  path: '/users/{userId}',
  summary: 'Change the own profile',
  access: { resource: 'user', view: ['anyone'], allow: ['self'] },
  params: userParams,
  body: z.object({ displayName: text(1, 64).optional(), photoURL: LastingUrl.nullable().optional() }),
  response: User,
});

export const createUser = operation({
  ...base,
  id: 'createUser',
  method: 'POST',
  path: '/users',
  summary: 'Create a user (operators)',
  access: { resource: 'installation', view: ['anyone'], allow: ['operator'] },
  body: z.object({
    email: Email,
    displayName: text(1, 64),
    password: NewPassword.optional(),
    emailVerified: z.boolean().default(false),
    kind: z.enum(['person', 'service']).default('person'),
    operator: z.boolean().default(false),
  }),
  response: User,
  status: 201,
  reasons: ['already_exists'],
});

export const deleteAuthenticatedUser = operation({
  ...base,
  id: 'deleteAuthenticatedUser',
  method: 'DELETE',
  path: '/user',
  summary: 'Erase the caller: name, address and photo, memberships, tokens, sessions; there is no way back',
  access: { resource: 'user', view: ['self'], allow: ['self'] },
  reasons: ['last_admin'],
});

export const deleteUserById = operation({
  ...base,
  id: 'deleteUserById',
  method: 'DELETE',
  path: '/users/{userId}',
  summary: 'Erase a user (operators); there is no way back',
  access: { resource: 'user', view: ['anyone'], allow: ['operator'] },
  params: userParams,
  reasons: ['last_admin'],
});

export const listUserTokens = operation({
  ...base,
  id: 'listUserTokens',
  method: 'GET',
  path: '/user/tokens',
  summary: 'List the own tokens',
  access: tokenCalls,
  query: z.object(paging),
  response: listOf(UserToken),
});

export const createUserToken = operation({
  ...base,
  id: 'createUserToken',
  method: 'POST',
  path: '/user/tokens',
  summary: 'Create a personal API token; it is shown this once',
  access: tokenCalls,
  body: NewToken,
  response: CreatedUserToken,
  status: 201,
  reasons: ['limit_reached'],
  secret: ['token'],
});

export const deleteUserToken = operation({
  ...base,
  id: 'deleteUserToken',
  method: 'DELETE',
  path: '/user/tokens/{tokenId}',
  summary: 'Revoke an own token',
  access: tokenCalls,
  params: z.object({ tokenId: Id }),
});

export const createTokenForUser = operation({
  ...base,
  id: 'createTokenForUser',
  method: 'POST',
  path: '/users/{userId}/tokens',
  summary: 'Create a token for a service account, or the first token of a person (operators)',
  access: { resource: 'user', view: ['anyone'], allow: ['operator'] },
  params: userParams,
  body: NewToken,
  response: CreatedUserToken,
  status: 201,
  reasons: ['limit_reached'],
  secret: ['token'],
});
