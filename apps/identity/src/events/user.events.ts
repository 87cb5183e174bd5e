import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** The stream of one person. Only it contains their name, address and photo, so deleting it erases them. */
export const userEvents = defineEvents({
  UserRegistered: z.object({
    email: z.string(),
    emailVerified: z.boolean(),
    displayName: z.string(),
    kind: z.enum(['person', 'service']),
    operator: z.boolean(),
  }),
  /** The person has proved that they own the address. */
  UserEmailVerified: z.object({}),
  UserRenamed: z.object({ displayName: z.string() }),
  UserPhotoChanged: z.object({ photoURL: z.string().nullable() }),
});
export type UserEvent = EventOf<typeof userEvents>;
