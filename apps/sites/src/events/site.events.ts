import {
  siteCustomizationEventSchemas,
  siteDirectoryEventSchemas,
  siteEventSchemas,
  siteRedirectEventSchemas,
} from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const siteEvents = defineEvents(siteEventSchemas);
export type SiteEvent = EventOf<typeof siteEvents>;
export const directoryEvents = defineEvents(siteDirectoryEventSchemas);
export type DirectoryEvent = EventOf<typeof directoryEvents>;
export const customizationEvents = defineEvents(siteCustomizationEventSchemas);
export type CustomizationEvent = EventOf<typeof customizationEvents>;
export const redirectEvents = defineEvents(siteRedirectEventSchemas);
export type RedirectEvent = EventOf<typeof redirectEvents>;
/** A space is on a site no longer. */
export const siteSpaceRemoval = siteEvents.pick('SiteSpaceRemoved');
export type SiteSpaceRemoval = EventOf<typeof siteSpaceRemoval>;
