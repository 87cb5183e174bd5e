import { organizationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const organizationEvents = defineEvents(organizationEventSchemas);
export type OrganizationEvent = EventOf<typeof organizationEvents>;
