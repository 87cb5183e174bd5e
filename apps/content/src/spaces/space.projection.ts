import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import {
  libraryEvents,
  newSpace,
  spaceEvents,
  spaceSettingsChanged,
  type SpaceEvent,
  type SpaceSettings,
} from '../events/index.js';

/** A space without where it stands and what it grants: that is in `node_access`. */
export interface SpaceDocument extends SpaceSettings {
  organization: string;
  createdAt: string;
  updatedAt: string;
}

const placing = libraryEvents.pick('SpaceMoved', 'SpaceDeleted', 'SpaceRestored', 'SpacePurgeBegan', 'SpacePurged');
type PlacingEvent = EventOf<typeof placing>;

function writes(event: Recorded<SpaceEvent | PlacingEvent>): Write<SpaceDocument>[] {
  const id = event.entityId;
  const { time } = event.meta;
  switch (event.type) {
    case 'SpaceCreated': {
      const { organization, ...settings } = event.data;
      return [{ put: id, doc: { organization, ...newSpace, ...settings, createdAt: time, updatedAt: time } }];
    }
    case 'SpaceMoved':
    case 'SpaceDeleted':
    case 'SpaceRestored':
      return [{ set: event.data.space, fields: { updatedAt: time } }];
    // Before its stream is deleted, so that a rebuild comes to the same.
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ remove: event.data.space }];
    case 'SpaceUserGrantGiven':
    case 'SpaceUserGrantRemoved':
    case 'SpaceTeamGrantGiven':
    case 'SpaceTeamGrantRemoved':
      return [];
    default: {
      const change = spaceSettingsChanged(event);
      return [{ change: id, by: (doc) => doc && { ...doc, ...change, updatedAt: time } }];
    }
  }
}

/** All spaces until their purge begins, those included that the library has not added yet. */
export const spaces = projection({
  name: 'space',
  version: 1,
  entities: ['content.space', 'content.library'],
  events: [spaceEvents, placing],
  history: { of: 'content.space' },
  indexes: [{ key: { organization: 1, updatedAt: 1, _id: 1 } }],
  writes,
});
