import { changeRequestEventSchemas, changeRequestNumberEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const changeRequestEvents = defineEvents(changeRequestEventSchemas);
/** Nothing is left of a change request whose creation broke off, nor of its branch. */
export const abandonment = changeRequestEvents.pick('ChangeRequestAbandoned');
export type ChangeRequestEvent = EventOf<typeof changeRequestEvents>;
export const numberEvents = defineEvents(changeRequestNumberEventSchemas);
export type NumberEvent = EventOf<typeof numberEvents>;
