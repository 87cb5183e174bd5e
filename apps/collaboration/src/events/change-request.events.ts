import { changeRequestEventSchemas, changeRequestNumberEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const changeRequestEvents = defineEvents(changeRequestEventSchemas);
export type ChangeRequestEvent = EventOf<typeof changeRequestEvents>;
export const numberEvents = defineEvents(changeRequestNumberEventSchemas);
export type NumberEvent = EventOf<typeof numberEvents>;
