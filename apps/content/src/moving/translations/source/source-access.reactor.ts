import { reactor, type EventOf, type Reactor } from '@scriptorium/event-sourcing';
import { followSource, space, spaceEvents, type AccessPart } from '../../../library/index.js';
import { translations } from '../translations.js';

const changes = spaceEvents.pick(
  'SpaceDefaultLevelChanged',
  'SpaceUserGrantGiven',
  'SpaceUserGrantRemoved',
  'SpaceTeamGrantGiven',
  'SpaceTeamGrantRemoved',
);

/**
 * Who may no longer see a source must not see it in another language: what changes on the source changes on its results
 * in the same way. What is granted on a result alone stays.
 */
export const accessOfSourcesReactor: Reactor = reactor({
  name: 'translations_of_spaces_with_other_access',
  entities: ['space'],
  events: [changes],
  from: 'now',
  react: async (event, store) => {
    const { entityId: source, meta } = event;
    if (meta.organization == null) return;
    const inside = store.in(meta.organization);
    // Read models may not show yet that there is a translation.
    const { all } = await inside.load(translations, meta.organization);
    const part = partOf(event);
    for (const [translation, { result }] of [...all].filter(([, one]) => one.source === source)) {
      // The present state counts: events may be seen late.
      const wanted = await inside.within({ space: source }).load(space, source);
      await inside
        .within({ space: result })
        .step(translation)
        .handle(space, result, (state) => followSource(state, wanted, { translation, part }));
    }
  },
});

function partOf({ data }: Pick<EventOf<typeof changes>, 'data'>): AccessPart {
  if ('user' in data) return { user: data.user };
  return 'team' in data ? { team: data.team } : 'defaultLevel';
}
