import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { spaceEntry, spaceNaming, spacePurge } from './places.events.js';

/** A space as far as lists need it. Where it stands and whether it is deleted is in `node_access`. */
export interface KnownSpaceDocument {
  organization: string;
  /** Its title in lower case, by which lists are sorted. */
  title: string;
}

function writes(
  event: Recorded<EventOf<typeof spaceNaming> | EventOf<typeof spaceEntry> | EventOf<typeof spacePurge>>,
): Write<KnownSpaceDocument>[] {
  switch (event.type) {
    case 'SpaceCreated': {
      const { organization, title } = event.data;
      return [{ put: event.entityId, doc: { organization, title: title.toLowerCase() } }];
    }
    case 'SpaceRenamed':
      return [{ set: event.entityId, fields: { title: event.data.title.toLowerCase() } }];
    case 'TransferEntered':
      return event.data.nodes.map(({ id }) => ({ set: id, fields: { organization: event.entityId } }));
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
  events: [spaceNaming, spaceEntry, spacePurge],
  writes,
});
