import { siteDirectoryEventSchemas, siteEventSchemas, type Space } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';

/** A site with the spaces on it. */
export interface SiteShowingDocument {
  organization: string;
  visibility: SiteVisibility;
  published: boolean;
  siteSpaces: readonly ShownSpace[];
  /** The sections that a condition hides from some visitors. */
  conditional: readonly string[];
  /** Counts the changes of the site: where it is published may have changed with each. */
  changes: number;
}

interface ShownSpace {
  id: string;
  space: string;
  section: string | null;
  /** A condition hides it from some visitors. */
  isConditional: boolean;
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
      return [
        {
          put: event.entityId,
          doc: { organization, visibility, published: false, siteSpaces: [], conditional: [], changes: 0 },
        },
      ];
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
  { siteSpaces, conditional }: SiteShowingDocument,
  event: Exclude<SiteEvent, { type: 'SiteCreated' }>,
): Partial<SiteShowingDocument> {
  const change = (id: string, fields: Partial<ShownSpace>) => ({
    siteSpaces: siteSpaces.map((one) => (one.id === id ? { ...one, ...fields } : one)),
  });
  switch (event.type) {
    case 'SiteVisibilityChanged':
      return { visibility: event.data.visibility };
    case 'SitePublished':
    case 'SiteUnpublished':
      return { published: event.type === 'SitePublished' };
    case 'SiteSpaceAdded': {
      const { siteSpace: id, space, section } = event.data;
      const added = { id, space, section, isConditional: false };
      return { siteSpaces: [...siteSpaces.filter((one) => one.id !== id), added] };
    }
    case 'SiteSpaceReplaced':
      return change(event.data.siteSpace, { space: event.data.space });
    case 'SiteSpaceMoved':
      return change(event.data.siteSpace, { section: event.data.section });
    case 'SiteSpaceConditionChanged':
      return change(event.data.siteSpace, { isConditional: event.data.condition !== null });
    case 'SiteSpaceRemoved':
      return { siteSpaces: siteSpaces.filter((one) => one.id !== event.data.siteSpace) };
    case 'SiteSpacesWrapped':
      return { siteSpaces: siteSpaces.map((one) => ({ ...one, section: event.data.section })) };
    case 'SiteSpacesUnwrapped':
      return { siteSpaces: siteSpaces.map((one) => ({ ...one, section: null })) };
    case 'SiteSectionConditionChanged': {
      const { section, condition } = event.data;
      const others = conditional.filter((id) => id !== section);
      return { conditional: condition === null ? others : [...others, section] };
    }
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
