import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { directoryEvents, siteEvents, type DirectoryEvent, type SiteEvent } from '../site.events.js';
import { createdSite, siteAfter, type RecordedSite } from './site.js';

/** A site with what stands on it. */
export interface SiteDocument extends RecordedSite {
  /** Whether the directory has it: before that it is not there for anybody. */
  isAdded: boolean;
  createdAt: string;
  /** When the schema of the claims of visitors was replaced; `null` if there is none. */
  schemaReplacedAt: string | null;
  /** The spaces on it, those of the structure. */
  spaces: string[];
}

function writes(event: Recorded<SiteEvent | DirectoryEvent>): Write<SiteDocument>[] {
  switch (event.type) {
    case 'SiteCreated': {
      const more = { isAdded: false, createdAt: event.meta.time, schemaReplacedAt: null, spaces: [] };
      return [{ put: event.entityId, doc: { ...createdSite(event.data), ...more } }];
    }
    case 'SiteAdded':
      return [{ set: event.data.site, fields: { isAdded: true } }];
    case 'SiteDeleted':
      return [{ remove: event.data.site }];
    case 'SiteDirectoryClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && documentAfter(doc, event) }];
  }
}

function documentAfter(doc: SiteDocument, event: Recorded<SiteEvent>): SiteDocument {
  const after = siteAfter(doc, event, event.meta.time);
  if (event.type === 'SiteAdaptiveSchemaReplaced') return { ...after, schemaReplacedAt: event.meta.time };
  return after.structure === doc.structure
    ? after
    : { ...after, spaces: after.structure.siteSpaces.map(({ space }) => space) };
}

/** All sites, those included that the directory has not added yet. */
export const sites = projection({
  name: 'site',
  version: 3,
  entities: ['site', 'directory'],
  events: [siteEvents, directoryEvents],
  indexes: [
    { key: { organization: 1, createdAt: -1, _id: -1 } },
    { key: { spaces: 1 } },
    // By these an address is found.
    { key: { hostname: 1 } },
    { key: { proxy: 1 } },
    { key: { 'grants.users.user': 1 } },
    { key: { 'grants.teams.team': 1 } },
  ],
  writes,
});
