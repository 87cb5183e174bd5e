import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { directoryEvents, type DirectoryEvent } from '../model/index.js';
import { publishingEvents, type PublishingEvent } from './publishing.events.js';
import { authAfter, initialAuth, type PublishingAuthState } from './publishing-auth.js';

function writes(event: Recorded<PublishingEvent | DirectoryEvent>): Write<PublishingAuthState>[] {
  switch (event.type) {
    case 'SiteAdded':
      return [{ put: event.data.site, doc: initialAuth }];
    case 'SiteDeleted':
      return [{ remove: event.data.site }];
    case 'SiteDirectoryClosed':
      return [];
    default:
      return [{ change: event.entityId, by: (doc) => doc && authAfter(doc, event, event.meta.time) }];
  }
}

/** How visitors of sites prove who they are, without the keys. */
export const publishingAuths = projection({
  name: 'publishing_auth',
  version: 2,
  entities: ['publishing', 'directory'],
  events: [publishingEvents, directoryEvents],
  indexes: [{ key: { 'integration.installation': 1 } }],
  writes,
});
