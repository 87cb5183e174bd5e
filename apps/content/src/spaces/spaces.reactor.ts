import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { derivedId, type ServiceContext } from '@scriptorium/platform';
import { branch } from '../branches/index.js';
import { onePage, openMainContent } from '../changes/index.js';
import { libraryEvents, spaceEvents } from '../events/index.js';
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

/** Spaces that were created before spaces had content get the content that new ones begin with. */
export function firstContentReactor(
  { now, urls }: Pick<ServiceContext, 'now' | 'urls'>,
  objects: ContentObjects,
): Reactor {
  return reactor({
    name: 'first_content_of_spaces',
    entities: ['library'],
    events: [libraryEvents.pick('SpaceAdded')],
    react: async ({ data: { space } }, store) => {
      const { state } = await store.handle(branch, space, () => [], { wait: false });
      if (state.status !== 'absent') return;
      await openMainContent(store, objects, {
        space,
        changes: onePage,
        newId: (what) => derivedId('first content', space, what),
        now: now(),
        api: urls.api,
      });
    },
  });
}
