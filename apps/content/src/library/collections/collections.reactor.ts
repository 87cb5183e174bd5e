import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { collectionEvents } from './collection.events.js';
import { lookAfterNew } from '../nodes/index.js';
import type { ContentObjects } from '../../versions/index.js';

/**
 * A collection that the library never got, or that was created at the moment in which its organization was deleted, is
 * removed.
 */
export function newCollectionsReactor(objects: ContentObjects): Reactor {
  return reactor({
    name: 'new_collections',
    entities: ['collection'],
    events: [collectionEvents.pick('CollectionCreated')],
    react: ({ entityId: id, data: { organization }, meta }, store) =>
      lookAfterNew(store, objects, { organization, id, kind: 'collection' }, meta.time),
  });
}
