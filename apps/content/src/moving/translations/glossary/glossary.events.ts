import { glossaryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const glossaryEvents = defineEvents(glossaryEventSchemas);
export type GlossaryEvent = EventOf<typeof glossaryEvents>;
