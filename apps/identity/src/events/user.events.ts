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
  /** The identity provider of an organization says how it names the person. The latest such event holds. */
  UserProvisioned: z.object({
    organization: z.string(),
    userName: z.string(),
    externalId: z.string().nullable(),
    displayName: z.string().nullable(),
    /** The whole name. Absent where it is `displayName`, as in events from before it was kept. */
    formatted: z.string().nullable().optional(),
    givenName: z.string().nullable(),
    familyName: z.string().nullable(),
    /** Whether the provider made the account. */
    created: z.boolean(),
    /** Whether the provider wants the person to become a member, which is recorded after this. */
    joining: z.boolean().optional(),
  }),
  /** The identity provider of an organization has deleted the person. */
  UserDeprovisioned: z.object({ organization: z.string() }),
});
export type UserEvent = EventOf<typeof userEvents>;
