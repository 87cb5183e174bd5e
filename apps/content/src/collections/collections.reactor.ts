import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { collectionEvents } from '../events/index.js';
import { lookAfterNew } from '../library/index.js';

/** A collection that the library never got, or that was created at the moment in which its organization was deleted, is removed. */
export function newCollectionsReactor(scope: Pick<Scope, 'database'>): Reactor {
  return reactor({
    name: 'new_collections',
    entities: ['collection'],
    events: [collectionEvents.pick('CollectionCreated')],
    react: ({ entityId: id, data: { organization }, meta }, store) =>
      lookAfterNew(store, scope, { organization, id, kind: 'collection' }, meta.time),
  });
}
