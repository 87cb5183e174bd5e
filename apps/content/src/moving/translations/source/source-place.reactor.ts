import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { library, libraryEvents, moveBeside } from '../../../library/index.js';
import { translations } from '../translations.js';

/**
 * Who sees a source by the collection that it stands in must not see it in another language any longer once it stands
 * elsewhere: its results are moved with it. What was deleted is not moved, so the places are compared again when the
 * source or the result is restored. A move that the library refuses, such as during a transfer, is tried again.
 */
export const placesOfSourcesReactor: Reactor = reactor({
  name: 'translations_of_moved_spaces',
  entities: ['library'],
  events: [libraryEvents.pick('SpaceMoved', 'SpaceRestored')],
  from: 'now',
  react: async ({ type, entityId: organization, data: { space } }, store) => {
    const inside = store.in(organization);
    // Read models may not show yet that there is a translation.
    const { all } = await inside.load(translations, organization);
    for (const [translation, { source, result }] of all) {
      const isRestored = type === 'SpaceRestored' && result === space;
      if (source !== space && !isRestored) continue;
      await inside
        .within({ space: result })
        .step(translation)
        .handle(library, organization, (state) => moveBeside(state, { space: result, beside: source }));
    }
  },
});
