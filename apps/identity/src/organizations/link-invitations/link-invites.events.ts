import { linkInviteEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const linkInvitesEvents = defineEvents(linkInviteEventSchemas);
export type LinkInvitesEvent = EventOf<typeof linkInvitesEvents>;
