import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** Which invitation is open for an address in an organization. Never deleted: it holds ids alone. */
export const inviteeEvents = defineEvents({
  InviteOpened: z.object({ invite: z.string() }),
  InviteClosed: z.object({ invite: z.string() }),
});
export type InviteeEvent = EventOf<typeof inviteeEvents>;
