import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { spaceEvents } from '../events/index.js';
import { lookAfterNew } from '../library/index.js';
import type { ContentObjects } from '../objects/index.js';

/** A space that the library never got, or that was created at the moment in which its organization was deleted, is removed. */
export function newSpacesReactor(objects: ContentObjects): Reactor {
  return reactor({
    name: 'new_spaces',
    entities: ['space'],
    events: [spaceEvents.pick('SpaceCreated')],
    react: ({ entityId: id, data: { organization }, meta }, store) =>
      lookAfterNew(store, objects, { organization, id, kind: 'space' }, meta.time),
  });
}
