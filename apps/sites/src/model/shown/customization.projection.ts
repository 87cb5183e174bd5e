import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import {
  customizationEvents,
  siteRemoval,
  siteSpaceRemoval,
  type CustomizationEvent,
  type SiteRemoval,
  type SiteSpaceRemoval,
} from '../site.events.js';

/** What was chosen of how a site, or a space of a site, looks. */
export interface CustomizationDocument {
  site: string;
  /** `null` for the site itself. */
  siteSpace: string | null;
  settings: Readonly<Record<string, unknown>>;
}

function writes(event: Recorded<CustomizationEvent | SiteSpaceRemoval | SiteRemoval>): Write<CustomizationDocument>[] {
  switch (event.type) {
    case 'SiteCustomized':
      return [{ put: event.entityId, doc: { ...event.data, siteSpace: null } }];
    case 'SiteSpaceCustomized':
      return [{ put: event.entityId, doc: event.data }];
    case 'SiteSpaceCustomizationCleared':
      return [{ remove: event.entityId }];
    case 'SiteSpaceRemoved':
      return [{ remove: event.data.siteSpace }];
    case 'SiteDeleted':
    case 'SiteErased':
      return [{ removeWhere: { site: event.data.site } }];
  }
}

/** How sites and their spaces look, by the id of the site or site space. */
export const customizations = projection({
  name: 'customization',
  version: 2,
  entities: ['customization', 'site', 'directory'],
  events: [customizationEvents, siteSpaceRemoval, ...siteRemoval],
  indexes: [{ key: { site: 1 } }],
  writes,
});
