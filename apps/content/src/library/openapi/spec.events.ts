import { specEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const specEvents = defineEvents(specEventSchemas);
export type SpecEvent = EventOf<typeof specEvents>;
