import {
  changeRequestEventSchemas,
  changeRequestNumberEventSchemas,
  commentEventSchemas,
} from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const changeRequestEvents = defineEvents(changeRequestEventSchemas);
export type ChangeRequestEvent = EventOf<typeof changeRequestEvents>;
export const numberEvents = defineEvents(changeRequestNumberEventSchemas);
export type NumberEvent = EventOf<typeof numberEvents>;
/** The events of comments, which stand on change requests. */
export const commentEvents = defineEvents(commentEventSchemas);
