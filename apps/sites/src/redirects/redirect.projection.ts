import type { RedirectDestination } from '@scriptorium/contracts';
import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { directoryEvents, redirectEvents, type DirectoryEvent, type RedirectEvent } from '../events/index.js';

/** A path of a site that leads elsewhere. */
export interface RedirectDocument {
  site: string;
  source: string;
  destination: RedirectDestination;
}

function writes(
  event: Recorded<RedirectEvent | Extract<DirectoryEvent, { type: 'SiteDeleted' }>>,
): Write<RedirectDocument>[] {
  switch (event.type) {
    case 'SiteRedirectAdded': {
      const { redirect, source, destination } = event.data;
      return [{ put: redirect, doc: { site: event.entityId, source, destination } }];
    }
    case 'SiteRedirectSourceChanged':
      return [{ set: event.data.redirect, fields: { source: event.data.source } }];
    case 'SiteRedirectDestinationChanged':
      return [{ set: event.data.redirect, fields: { destination: event.data.destination } }];
    case 'SiteRedirectRemoved':
      return [{ remove: event.data.redirect }];
    case 'SiteDeleted':
      return [{ removeWhere: { site: event.data.site } }];
  }
}

export const siteRedirects = projection({
  name: 'site_redirect',
  version: 1,
  entities: ['redirects', 'directory'],
  events: [redirectEvents, directoryEvents.pick('SiteDeleted')],
  indexes: [{ key: { site: 1, source: 1, _id: 1 } }],
  writes,
});
