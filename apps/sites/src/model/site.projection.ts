import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { directoryEvents, siteEvents, type DirectoryEvent, type SiteEvent } from '../events/index.js';
import { grantsAfter, type SiteGrants } from './grants.js';
import { linksAfter, type ShareLinkState } from './links.js';
import { settingsAfter, type SiteSettings } from './settings.js';
import { createdSite } from './site.js';
import { structureAfter } from './structure-after.js';
import type { Structure } from './structure.js';

/** A site with what stands on it. */
export interface SiteDocument extends SiteSettings {
  organization: string;
  /** Whether the directory has it: before that it is not there for anybody. */
  isAdded: boolean;
  createdAt: string;
  /** When the schema of the claims of visitors was replaced; `null` if there is none. */
  schemaReplacedAt: string | null;
  structure: Structure;
  links: readonly ShareLinkState[];
  grants: SiteGrants;
  /** The spaces on it, those of the structure. */
  spaces: string[];
}

function writes(event: Recorded<SiteEvent | DirectoryEvent>): Write<SiteDocument>[] {
  switch (event.type) {
    case 'SiteCreated': {
      const { status: _, ...created } = createdSite(event.data);
      const createdAt = event.meta.time;
      return [
        { put: event.entityId, doc: { ...created, isAdded: false, createdAt, schemaReplacedAt: null, spaces: [] } },
      ];
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
  const structure = structureAfter(doc.structure, event);
  const links = linksAfter(doc.links, event, event.meta.time);
  const grants = grantsAfter(doc.grants, event);
  const settings = { ...settingsAfter(doc, event), links, grants };
  if (event.type === 'SiteAdaptiveSchemaReplaced') return { ...settings, schemaReplacedAt: event.meta.time };
  return structure === doc.structure
    ? settings
    : { ...settings, structure, spaces: structure.siteSpaces.map(({ space }) => space) };
}

/** All sites, those included that the directory has not added yet. */
export const sites = projection({
  name: 'site',
  version: 1,
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
