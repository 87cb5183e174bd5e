import { collectionEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const collectionEvents = defineEvents(collectionEventSchemas);
export type CollectionEvent = EventOf<typeof collectionEvents>;
