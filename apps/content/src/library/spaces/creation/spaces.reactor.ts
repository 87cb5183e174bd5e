import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { spaceEvents } from '../space.events.js';
import { lookAfterNew } from '../../nodes/index.js';
import type { ContentObjects } from '../../../versions/index.js';

/**
 * A space that the library never got, or that was created at the moment in which its organization was deleted, is
 * removed.
 */
export function newSpacesReactor(objects: ContentObjects): Reactor {
  return reactor({
    name: 'new_spaces',
    entities: ['space'],
    events: [spaceEvents.pick('SpaceCreated')],
    react: ({ entityId: id, data: { organization }, meta }, store) =>
      lookAfterNew(store, objects, { organization, id, kind: 'space' }, meta.time),
  });
}
