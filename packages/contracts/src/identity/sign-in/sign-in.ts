import * as z from 'zod';
import { Email, Id, Location, Timestamp, listOf, paging, text } from '../../kernel/common.js';
import { anonymousOperation, operation } from '../../kernel/operation.js';
import { NewPassword, Password } from '../people/password.js';
import { User } from '../people/users.js';

export const sessionMethods = ['password', 'link', 'saml'] as const;

export const Session = z
  .object({
    object: z.literal('session'),
    id: Id,
    method: z.enum(sessionMethods).meta({ description: 'How the person signed in.' }),
    createdAt: Timestamp,
    lastSeenAt: Timestamp.meta({ description: 'At most once a minute.' }),
    expiresAt: Timestamp,
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
    client: z.string().optional().meta({ description: 'What the browser calls itself.' }),
    organization: Id.optional().meta({
      description: 'Set when it is good for this organization alone, whose provider vouches for the person.',
    }),
    urls: Location,
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;

export const OwnSession = z
  .object({
    ...Session.shape,
    user: User,
    password: z.boolean().meta({ description: 'Whether the person has a password.' }),
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = z.output<typeof OwnSession>;

const base = { service: 'identity', tag: 'Sign-in' } as const;
const self = { resource: 'user', view: ['self'], allow: ['self'] } as const;
const session = { ...self, tokens: ['session'] } as const;
const sessionOrToken = { ...self, tokens: ['personal', 'session'] } as const;

export const signIn = anonymousOperation({
  ...base,
  id: 'signIn',
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in with a password, or with the word of an e-mailed link; sets the session cookie',
  body: z.union([
    z.object({ email: Email, password: Password }),
    z.object({
      link: z.string().min(1).max(256),
      displayName: text(1, 64)
        .optional()
        .meta({ description: 'Name of a person whose account is made now, or becomes theirs now.' }),
    }),
  ]),
  bodyLimit: 16 * 1024,
  response: OwnSession,
  reasons: ['unauthenticated', 'sso_required'],
});

export const signOut = anonymousOperation({
  ...base,
  id: 'signOut',
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the session of the cookie, if there is one',
  status: 200,
  response: z.object({}),
});

export const sendSignInLink = anonymousOperation({
  ...base,
  id: 'sendSignInLink',
  method: 'POST',
  path: '/auth/email-link',
  summary: 'E-mail a link that signs in once; the answer is the same whether the address is known or not',
  body: z.object({
    email: Email,
    purpose: z.enum(['sign-in', 'password']).default('sign-in').meta({ description: '`password`: to set a new one.' }),
  }),
  bodyLimit: 16 * 1024,
  status: 200,
  response: z.object({}),
});

export const getSession = operation({
  ...base,
  id: 'getSession',
  method: 'GET',
  path: '/auth/session',
  summary: 'Get the session of the cookie and whose it is',
  access: { ...session, withinOrganization: true },
  response: OwnSession,
});

export const changePassword = operation({
  ...base,
  id: 'changePassword',
  method: 'PUT',
  path: '/auth/password',
  summary: 'Set the own password; all other sessions end',
  access: session,
  body: z.object({
    password: NewPassword,
    current: Password.optional().meta({
      description: 'Needed if there is a password, but not within 15 minutes after an e-mailed link.',
    }),
  }),
  bodyLimit: 16 * 1024,
  dryRun: false,
});

export const listUserSessions = operation({
  ...base,
  id: 'listUserSessions',
  method: 'GET',
  path: '/user/sessions',
  summary: 'List the own sessions',
  access: sessionOrToken,
  query: z.object(paging),
  response: listOf(Session),
});

export const deleteUserSession = operation({
  ...base,
  id: 'deleteUserSession',
  method: 'DELETE',
  path: '/user/sessions/{sessionId}',
  summary: 'End an own session',
  access: sessionOrToken,
  params: z.object({ sessionId: Id }),
  dryRun: false,
});
