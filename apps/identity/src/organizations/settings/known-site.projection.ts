import { siteDirectoryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';

/** A site that an organization has. */
export interface KnownSiteDocument {
  organization: string;
}

const directoryEvents = defineEvents(siteDirectoryEventSchemas);

function writes({
  entityId: organization,
  ...event
}: Recorded<EventOf<typeof directoryEvents>>): Write<KnownSiteDocument>[] {
  switch (event.type) {
    case 'SiteAdded':
      return [{ put: event.data.site, doc: { organization } }];
    case 'SiteDeleted':
      return [{ remove: event.data.site }];
    case 'SiteDirectoryClosed':
      return [{ removeWhere: { organization } }];
  }
}

/** Which sites there are, from what the service sites has published. */
export const knownSites = projection({
  name: 'known_site',
  version: 1,
  entities: ['sites.directory'],
  events: [directoryEvents],
  indexes: [{ key: { organization: 1 } }],
  writes,
});
