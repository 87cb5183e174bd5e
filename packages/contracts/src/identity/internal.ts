import * as z from 'zod';
import { Id, Timestamp } from '../kernel/common.js';
import { scopes } from '../kernel/access.js';
import { mailedNotifications, NotificationKind } from '../kernel/notification-kinds.js';
import { internalOperation } from '../kernel/operation.js';
import { Organization } from './organizations/organizations.js';
import { Member } from './people/member.js';
import { Team } from './people/teams.js';
import { User } from './people/users.js';

/** The principal of a token. The gateway sends the SHA-256 of the token, never the token itself. */
export const authenticateToken = internalOperation({
  id: 'authenticateToken',
  service: 'identity',
  input: z.object({ kind: z.enum(['personal']), id: z.string(), hash: z.string() }),
  response: z.object({
    principal: z
      .object({
        kind: z.literal('user'),
        id: Id,
        token: z.object({
          id: z.string(),
          kind: z.enum(['personal', 'session', 'oauth']),
          scopes: z.array(z.enum(scopes)).optional(),
          expiresAt: Timestamp.optional(),
        }),
        operator: z.boolean(),
      })
      .nullable(),
  }),
});

/** The principal of a session cookie. The gateway sends the SHA-256 of its text. */
export const authenticateSession = internalOperation({
  id: 'authenticateSession',
  service: 'identity',
  input: z.object({ id: Id, hash: z.string() }),
  response: z.object({
    principal: z
      .object({
        kind: z.literal('user'),
        id: Id,
        token: z.object({ id: z.string(), kind: z.literal('session'), expiresAt: Timestamp }),
        organization: Id.optional(),
        operator: z.boolean(),
      })
      .nullable(),
    renewed: z
      .string()
      .optional()
      .meta({ description: 'The session under a new secret; the old one holds until this is used.' }),
  }),
});

/** Users by id for the answers of other services. An unknown user has been erased, and is shown as `Deleted user`. */
export const lookupUsers = internalOperation({
  id: 'lookupUsers',
  service: 'identity',
  input: z.object({ ids: z.array(Id).max(1000) }),
  response: z.object({ items: z.array(User) }),
});

/**
 * Members by the ids of their references (`<organization>_<user>`, repeated in `refs`), for the answers of other
 * services. Members that the caller may not see are left out.
 */
export const lookupMembers = internalOperation({
  id: 'lookupMembers',
  service: 'identity',
  input: z.object({ ids: z.array(Id).max(1000) }),
  response: z.object({ items: z.array(Member), refs: z.array(Id) }),
});

/** Organizations by id for responses of other services. Those that the caller may not see are left out. */
export const lookupOrganizations = internalOperation({
  id: 'lookupOrganizations',
  service: 'identity',
  input: z.object({ ids: z.array(Id).max(1000) }),
  response: z.object({ items: z.array(Organization) }),
});

/** Teams by id for responses of other services. Those that the caller may not see are left out. */
export const lookupTeams = internalOperation({
  id: 'lookupTeams',
  service: 'identity',
  input: z.object({ ids: z.array(Id).max(1000) }),
  response: z.object({ items: z.array(Team) }),
});

/**
 * Mails a person what they have not read in an organization. Only ids are given: address and names are read in identity
 * when the mail is written. Nothing is mailed to who is no active member then, or has neither accepted the membership
 * nor `wanted` it: who was merely added gets no mail from strangers. `id`: the same digest again is queued once.
 */
export const mailNotifications = internalOperation({
  id: 'mailNotifications',
  service: 'identity',
  input: z.object({
    id: Id,
    organization: Id,
    user: Id,
    items: z
      .array(
        z.object({
          kind: NotificationKind,
          /** The user who did it. */
          actor: Id.optional(),
          /** The number of the change request. */
          number: z.int().optional(),
          url: z.url(),
        }),
      )
      .min(1)
      .max(mailedNotifications),
    /** How many more there are. */
    more: z.int().min(0),
    /** The person has asked for digests of the organization, or is told of what follows from their own doing there. */
    wanted: z.boolean(),
  }),
  response: z.object({ queued: z.boolean() }),
});

/**
 * Creates the first user, organization and token. It works only while the installation has no user. The caller makes
 * the token and passes its hash, so that a repeated call creates nothing more.
 */
export const bootstrapInstallation = internalOperation({
  id: 'bootstrapInstallation',
  service: 'identity',
  input: z.object({
    user: z.object({ email: z.email(), displayName: z.string().min(1).max(64) }),
    organization: z.object({ title: z.string().min(2).max(255) }),
    token: z.object({ id: Id, hash: z.string().regex(/^[0-9a-f]{64}$/), label: z.string().max(50) }),
  }),
  response: z.object({ user: z.object({ id: Id }), organization: z.object({ id: Id }) }),
});
