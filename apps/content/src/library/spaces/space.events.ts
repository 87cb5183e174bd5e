import { spaceEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const spaceEvents = defineEvents(spaceEventSchemas);
export type SpaceEvent = EventOf<typeof spaceEvents>;
