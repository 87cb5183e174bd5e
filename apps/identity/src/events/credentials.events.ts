import { scopes, sessionMethods } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** Events of the stream `identity.credentials-<user>`. It contains tokens only as SHA-256. */
export const credentialsEvents = defineEvents({
  TokenCreated: z.object({
    token: z.string(),
    label: z.string(),
    hash: z.string(),
    expiresAt: z.string().optional(),
    scopes: z.array(z.enum(scopes)).optional(),
  }),
  TokenRevoked: z.object({ token: z.string() }),
  /** The person's first sign-in. Sessions are not recorded as events: they are removed when they end. */
  PersonSignedIn: z.object({ method: z.enum(sessionMethods) }),
  /** The hash is not part of the event. */
  PasswordChanged: z.object({}),
  /** The person was erased. No event follows, and the stream is deleted. */
  CredentialsEnded: z.object({}),
});
export type CredentialsEvent = EventOf<typeof credentialsEvents>;
