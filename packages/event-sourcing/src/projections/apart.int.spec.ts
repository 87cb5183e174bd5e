import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineAggregate } from '../aggregates/aggregate.js';
import { defineEvents } from '../events/events.js';
import { contextOf, create, team, teamEvents } from '../test/team.js';
import { eventually } from '../test/servers.js';
import { useWorld } from '../test/use-world.js';
import { projection } from './projection.js';

const { world } = useWorld();

const noteEvents = defineEvents({ NoteWritten: z.object({}) });
const note = defineAggregate({
  service: 'identity',
  entity: 'note',
  events: noteEvents,
  initial: null,
  evolve: () => null,
});
const notes = projection({
  name: 'notes',
  version: 1,
  entities: ['identity.note'],
  events: [noteEvents],
  writes: ({ id }) => [{ put: id, doc: {} }],
});
/** So many documents for each team that writing them takes longer than the others wait. */
const seats = projection({
  name: 'seats',
  version: 1,
  entities: ['identity.team'],
  events: [teamEvents.pick('TeamCreated')],
  writes: ({ id }) => Array.from({ length: 12_000 }, (_, seat) => ({ put: `${id}-${seat}`, doc: { seat } })),
});

describe('a projection that was too slow to go on with the others', () => {
  it('can be waited for up to an event that only others take', async () => {
    const store = world.open({ projections: [notes, seats] });
    await store.start();
    const work = store.scope(contextOf('x'));
    const made = await work.handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o' }), {
      wait: false,
    });
    await eventually(() => store.visible({ position: made.position, types: ['TeamCreated'] }), 40_000);
    const written = await work.handle(note, 'n1', () => [{ type: 'NoteWritten' as const, data: {} }]);
    expect(await store.visible({ position: written.position, types: ['TeamCreated'] })).toBe(true);
  }, 60_000);
});
