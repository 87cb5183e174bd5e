import { erasureEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const erasureEvents = defineEvents(erasureEventSchemas);
export type ErasureEvent = EventOf<typeof erasureEvents>;
