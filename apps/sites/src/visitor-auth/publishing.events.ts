import { publishingEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const publishingEvents = defineEvents(publishingEventSchemas);
export type PublishingEvent = EventOf<typeof publishingEvents>;
