import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import type { siteVisibilities } from '@scriptorium/contracts';
import { siteDirectory, siteShowing } from './places.events.js';

/** A site, as far as the visibility of spaces follows from it. */
export interface SiteShowingDocument {
  organization: string;
  visibility: (typeof siteVisibilities)[number];
  published: boolean;
  /** The spaces that stand on it, by their site spaces. */
  spaces: Readonly<Record<string, string>>;
}

type Showing = EventOf<typeof siteShowing>;

function writes(event: Recorded<Showing | EventOf<typeof siteDirectory>>): Write<SiteShowingDocument>[] {
  switch (event.type) {
    case 'SiteCreated': {
      const { organization, visibility } = event.data;
      return [{ put: event.entityId, doc: { organization, visibility, published: false, spaces: {} } }];
    }
    case 'SiteAdded':
      return [];
    case 'SiteDeleted':
      return [{ remove: event.data.site }];
    case 'SiteDirectoryClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [{ set: event.entityId, fields: changedBy(event) }];
  }
}

function changedBy(event: Exclude<Showing, { type: 'SiteCreated' }>): Record<string, unknown> {
  switch (event.type) {
    case 'SiteVisibilityChanged':
      return { visibility: event.data.visibility };
    case 'SitePublished':
    case 'SiteUnpublished':
      return { published: event.type === 'SitePublished' };
    case 'SiteSpaceAdded':
    case 'SiteSpaceReplaced':
      return { [`spaces.${event.data.siteSpace}`]: event.data.space };
    case 'SiteSpaceRemoved':
      return { [`spaces.${event.data.siteSpace}`]: undefined };
  }
}

/** All sites with the spaces on them. */
export const siteShowings = projection({
  name: 'site_showing',
  version: 1,
  entities: ['sites.site', 'sites.directory'],
  events: [siteShowing, siteDirectory],
  indexes: [{ key: { organization: 1 } }],
  writes,
});
