import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { branchEvents } from '../../versions/index.js';
import { libraryEvents } from '../nodes/index.js';
import { holdingChanged, type Holding } from './holding.js';
import { newSpace, spaceSettingsChanged, type SpaceSettings } from './space-settings.js';
import { spaceEvents, type SpaceEvent } from './space.events.js';

/** A space without where it stands and what it grants: that is in `node_access`. */
export interface SpaceDocument extends SpaceSettings, Partial<Holding> {
  organization: string;
  createdAt: string;
  updatedAt: string;
  /** The newest revision of its main content. */
  revision: string | null;
}

const placing = libraryEvents.pick(
  'SpaceMoved',
  'SpaceDeleted',
  'SpaceRestored',
  'SpacePurgeBegan',
  'SpacePurged',
  'TransferEntered',
);
type PlacingEvent = EventOf<typeof placing>;
const revising = branchEvents.pick('RevisionCreated');

function writes(event: Recorded<SpaceEvent | PlacingEvent | EventOf<typeof revising>>): Write<SpaceDocument>[] {
  const id = event.entityId;
  const { time } = event.meta;
  switch (event.type) {
    case 'SpaceCreated': {
      const { organization, ...settings } = event.data;
      return [
        { put: id, doc: { organization, ...newSpace, ...settings, createdAt: time, updatedAt: time, revision: null } },
      ];
    }
    case 'SpaceMoved':
    case 'SpaceDeleted':
    case 'SpaceRestored':
      return [{ set: event.data.space, fields: { updatedAt: time } }];
    case 'TransferEntered':
      return event.data.nodes.map((node) => ({ set: node.id, fields: { organization: id, updatedAt: time } }));
    case 'SpaceTransferred':
      return [{ set: id, fields: { organization: event.data.organization } }];
    // Before its stream is deleted, so that a rebuild comes to the same.
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ remove: event.data.space }];
    case 'RevisionCreated': {
      const { space, revision } = event.data;
      // Other branches of the space are the heads of change requests.
      return id === space ? [{ set: space, fields: { revision, updatedAt: time } }] : [];
    }
    case 'SpaceUserGrantGiven':
    case 'SpaceUserGrantRemoved':
    case 'SpaceTeamGrantGiven':
    case 'SpaceTeamGrantRemoved':
      return [];
    default: {
      const change = { ...spaceSettingsChanged(event), ...holdingChanged(event) };
      return [{ change: id, by: (doc) => doc && { ...doc, ...change, updatedAt: time } }];
    }
  }
}

/** All spaces until their purge begins, those included that the library has not added yet. */
export const spaces = projection({
  name: 'space',
  version: 3,
  entities: ['content.space', 'content.library', 'content.branch'],
  events: [spaceEvents, placing, revising],
  history: { of: 'content.space', except: ['revision'] },
  indexes: [{ key: { organization: 1, updatedAt: 1, _id: 1 } }, { key: { 'readOnly.translation': 1 } }],
  writes,
});
