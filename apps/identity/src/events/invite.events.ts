import { MemberRole } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/**
 * The stream of one pending invitation. No other stream has the address, and this one is deleted when the invitation is
 * over.
 */
export const inviteEvents = defineEvents({
  MemberInvited: z.object({
    organization: z.string(),
    email: z.string(),
    role: MemberRole.nullable(),
    sso: z.boolean(),
  }),
  InviteAccepted: z.object({ user: z.string() }),
  InviteRevoked: z.object({}),
});
export type InviteEvent = EventOf<typeof inviteEvents>;
