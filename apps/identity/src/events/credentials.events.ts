import { scopes, sessionMethods } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** Stream `identity.credentials-<user>`. Tokens stand in it only as SHA-256. */
export const credentialsEvents = defineEvents({
  TokenCreated: z.object({
    token: z.string(),
    label: z.string(),
    hash: z.string(),
    expiresAt: z.string().optional(),
    scopes: z.array(z.enum(scopes)).optional(),
  }),
  TokenRevoked: z.object({ token: z.string() }),
  /** The person's first sign-in. Sessions are not events: who begins one, and when, is state that ends with it. */
  PersonSignedIn: z.object({ method: z.enum(sessionMethods) }),
  /** The hash stands elsewhere. */
  PasswordChanged: z.object({}),
  /** The person was erased; nothing follows, and the stream is deleted. */
  CredentialsEnded: z.object({}),
});
export type CredentialsEvent = EventOf<typeof credentialsEvents>;
