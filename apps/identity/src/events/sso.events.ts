import { ssoEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const ssoEvents = defineEvents(ssoEventSchemas);
export type SSOEvent = EventOf<typeof ssoEvents>;
