import { siteDirectoryEventSchemas, siteEventSchemas, type Space } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';

/** A site with the spaces on it. */
export interface SiteShowingDocument {
  organization: string;
  visibility: SiteVisibility;
  published: boolean;
  siteSpaces: readonly { id: string; space: string }[];
  /** Counts the changes of the site: where it is published may have changed with each. */
  changes: number;
}
type SiteVisibility = Exclude<Space['visibility'], 'in-collection' | 'private'>;

const siteEvents = defineEvents(siteEventSchemas);
const deletions = defineEvents(siteDirectoryEventSchemas).pick('SiteDeleted', 'SiteDirectoryClosed');
type SiteEvent = EventOf<typeof siteEvents>;
type Consumed = Recorded<SiteEvent | EventOf<typeof deletions>>;

function writes(event: Consumed): Write<SiteShowingDocument>[] {
  switch (event.type) {
    case 'SiteCreated': {
      const { organization, visibility } = event.data;
      return [{ put: event.entityId, doc: { organization, visibility, published: false, siteSpaces: [], changes: 0 } }];
    }
    case 'SiteDeleted':
      return [{ remove: event.data.site }];
    case 'SiteDirectoryClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [
        { change: event.entityId, by: (doc) => doc && { ...doc, ...changed(doc, event), changes: doc.changes + 1 } },
      ];
  }
}

function changed(
  { siteSpaces }: SiteShowingDocument,
  event: Exclude<SiteEvent, { type: 'SiteCreated' }>,
): Partial<SiteShowingDocument> {
  switch (event.type) {
    case 'SiteVisibilityChanged':
      return { visibility: event.data.visibility };
    case 'SitePublished':
    case 'SiteUnpublished':
      return { published: event.type === 'SitePublished' };
    case 'SiteSpaceAdded':
    case 'SiteSpaceReplaced': {
      const { siteSpace: id, space } = event.data;
      return { siteSpaces: [...siteSpaces.filter((one) => one.id !== id), { id, space }] };
    }
    case 'SiteSpaceRemoved':
      return { siteSpaces: siteSpaces.filter((one) => one.id !== event.data.siteSpace) };
    default:
      return {};
  }
}

/** The sites of all organizations, as far as they show spaces. */
export const siteShowings = projection({
  name: 'site_showing',
  version: 2,
  entities: ['sites.site', 'sites.directory'],
  events: [siteEvents, deletions],
  indexes: [{ key: { 'siteSpaces.space': 1 } }],
  writes,
});
