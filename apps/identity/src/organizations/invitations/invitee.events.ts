import { inviteeEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

/** Which invitation is open for an address in an organization. The stream is never deleted, and contains only ids. */
export const inviteeEvents = defineEvents(inviteeEventSchemas);
export type InviteeEvent = EventOf<typeof inviteeEvents>;
