import { siteDirectoryEventSchemas, siteEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const siteEvents = defineEvents(siteEventSchemas);
export type SiteEvent = EventOf<typeof siteEvents>;
export const directoryEvents = defineEvents(siteDirectoryEventSchemas);
export type DirectoryEvent = EventOf<typeof directoryEvents>;
