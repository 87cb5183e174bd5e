import { adminAlertEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const adminAlertEvents = defineEvents(adminAlertEventSchemas);
export type AdminAlertEvent = EventOf<typeof adminAlertEvents>;
