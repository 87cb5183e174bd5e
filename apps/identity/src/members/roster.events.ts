import { rosterEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const rosterEvents = defineEvents(rosterEventSchemas);
export type RosterEvent = EventOf<typeof rosterEvents>;
