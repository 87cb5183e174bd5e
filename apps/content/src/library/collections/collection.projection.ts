import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { collectionEvents, type CollectionEvent } from './collection.events.js';
import { collectionSettingsChanged, type CollectionSettings } from './collection-settings.js';
import { libraryEvents } from '../nodes/index.js';

/** A collection without where it stands and what it grants: that is in `node_access`. */
export interface CollectionDocument extends CollectionSettings {
  organization: string;
}

const own = collectionEvents.pick(
  'CollectionCreated',
  'CollectionRenamed',
  'CollectionDescriptionChanged',
  'CollectionDefaultLevelChanged',
  'CollectionTransferred',
);
const placing = libraryEvents.pick('CollectionPurgeBegan', 'CollectionPurged', 'TransferEntered');
type Consumed = Recorded<EventOf<typeof own> | EventOf<typeof placing>>;

function writes(event: Consumed): Write<CollectionDocument>[] {
  const id = event.entityId;
  switch (event.type) {
    case 'CollectionCreated':
      return [{ put: id, doc: { defaultLevel: 'inherit', ...event.data } }];
    case 'TransferEntered':
      return event.data.nodes.map((node) => ({ set: node.id, fields: { organization: id } }));
    case 'CollectionTransferred':
      return [{ set: id, fields: event.data }];
    // Before its stream is deleted, so that a rebuild comes to the same.
    case 'CollectionPurgeBegan':
    case 'CollectionPurged':
      return [{ remove: event.data.collection }];
    default:
      return [{ set: id, fields: collectionSettingsChanged(event satisfies CollectionEvent) }];
  }
}

/** All collections until their purge begins, those included that the library has not added yet. */
export const collections = projection({
  name: 'collection',
  version: 2,
  entities: ['content.collection', 'content.library'],
  events: [own, placing],
  indexes: [{ key: { organization: 1 } }],
  writes,
});
