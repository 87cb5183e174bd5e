import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import { teamEventSchemas } from '@scriptorium/contracts';

export const teamEvents = defineEvents(teamEventSchemas);
export type TeamEvent = EventOf<typeof teamEvents>;
