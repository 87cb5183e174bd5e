import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { spaceNaming, spacePurge } from '../events/index.js';

/** A space as far as sites show it without asking content. Where it stands and whether it is deleted is in `node_access`. */
export interface KnownSpaceDocument {
  title: string;
}

function writes(
  event: Recorded<EventOf<typeof spaceNaming> | EventOf<typeof spacePurge>>,
): Write<KnownSpaceDocument>[] {
  switch (event.type) {
    case 'SpaceCreated':
      return [{ put: event.entityId, doc: { title: event.data.title } }];
    case 'SpaceRenamed':
      return [{ set: event.entityId, fields: { title: event.data.title } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ remove: event.data.space }];
  }
}

/** The titles of all spaces until their purge begins. */
export const knownSpaces = projection({
  name: 'known_space',
  version: 1,
  entities: ['content.space', 'content.library'],
  events: [spaceNaming, spacePurge],
  writes,
});
