import {
  siteCustomizationEventSchemas,
  siteDirectoryEventSchemas,
  siteErasureEventSchemas,
  siteEventSchemas,
  siteRedirectEventSchemas,
} from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const siteEvents = defineEvents(siteEventSchemas);
export type SiteEvent = EventOf<typeof siteEvents>;
export const directoryEvents = defineEvents(siteDirectoryEventSchemas);
export type DirectoryEvent = EventOf<typeof directoryEvents>;
/** Everything that a directory records. */
export const wholeDirectory = defineEvents({ ...siteDirectoryEventSchemas, ...siteErasureEventSchemas });
export type WholeDirectoryEvent = EventOf<typeof wholeDirectory>;
export const customizationEvents = defineEvents(siteCustomizationEventSchemas);
export type CustomizationEvent = EventOf<typeof customizationEvents>;
export const erasureEvents = defineEvents(siteErasureEventSchemas);
export type ErasureEvent = EventOf<typeof erasureEvents>;
/** What removes everything of a site from a read model: what was written at the moment of its deletion, too. */
export const siteRemoval = [directoryEvents.pick('SiteDeleted'), erasureEvents] as const;
export type SiteRemoval = Extract<DirectoryEvent, { type: 'SiteDeleted' }> | ErasureEvent;
export const redirectEvents = defineEvents(siteRedirectEventSchemas);
export type RedirectEvent = EventOf<typeof redirectEvents>;
/** A space was removed from a site. */
export const siteSpaceRemoval = siteEvents.pick('SiteSpaceRemoved');
export type SiteSpaceRemoval = EventOf<typeof siteSpaceRemoval>;
