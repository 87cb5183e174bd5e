import { libraryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const libraryEvents = defineEvents(libraryEventSchemas);
export type LibraryEvent = EventOf<typeof libraryEvents>;
