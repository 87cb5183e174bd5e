import type { RedirectDestination } from '@scriptorium/contracts';
import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { redirectEvents, siteRemoval, type RedirectEvent, type SiteRemoval } from '../model/index.js';

/** A path of a site that leads elsewhere. */
export interface RedirectDocument {
  site: string;
  source: string;
  destination: RedirectDestination;
}

function writes(event: Recorded<RedirectEvent | SiteRemoval>): Write<RedirectDocument>[] {
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
    case 'SiteErased':
      return [{ removeWhere: { site: event.data.site } }];
  }
}

export const siteRedirects = projection({
  name: 'site_redirect',
  version: 2,
  entities: ['redirects', 'directory'],
  events: [redirectEvents, ...siteRemoval],
  indexes: [{ key: { site: 1, source: 1, _id: 1 } }],
  writes,
});
