import { publicStream } from '../public-streams.js';
import { libraryEventSchemas, spaceEventSchemas } from './events.js';
import { getSpaceById } from './spaces.js';

const base = { service: 'content' } as const;
const { SpaceAdded, SpaceMoved, SpaceDeleted, SpaceRestored, SpacePurgeBegan, SpacePurged } = libraryEventSchemas;

/** Streams of content whose events audit and change feed tell. */
export const contentStreams = [
  publicStream({
    ...base,
    entity: 'library',
    schemas: { SpaceAdded, SpaceMoved, SpaceDeleted, SpaceRestored, SpacePurgeBegan, SpacePurged },
    untold: ['SpacePurgeBegan'],
    ends: ['SpacePurged'],
    target: { object: 'space', idIn: 'space' },
    shownBy: getSpaceById,
  }),
  publicStream({
    ...base,
    entity: 'space',
    schemas: spaceEventSchemas,
    // A space exists from `SpaceAdded` on.
    untold: ['SpaceCreated'],
    target: { object: 'space' },
    shownBy: getSpaceById,
  }),
];
