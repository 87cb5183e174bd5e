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
const seatsOfTeam = 12_000;
/** So many documents for each team that writing them takes longer than the others wait. */
const seats = projection({
  name: 'seats',
  version: 1,
  entities: ['identity.team'],
  events: [teamEvents.pick('TeamCreated')],
  writes: ({ id }) => Array.from({ length: seatsOfTeam }, (_, seat) => ({ put: `${id}-${seat}`, doc: { seat } })),
});

describe('a projection that was too slow to go on with the others', () => {
  it('can be waited for up to an event that only others take, and changes when its documents are there', async () => {
    const store = world.open({ projections: [notes, seats] });
    await store.start();
    const work = store.scope(contextOf('x'));
    const made = await work.handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o' }), {
      wait: false,
    });
    await eventually(() => store.waitUntilVisible({ position: made.position, types: ['TeamCreated'] }), 40_000);
    const written = await work.handle(note, 'n1', () => [{ type: 'NoteWritten' as const, data: {} }]);
    expect(await store.waitUntilVisible({ position: written.position, types: ['TeamCreated'] })).toBe(true);
    expect(await store.collection(seats).count({})).toBe(seatsOfTeam);

    // What is told of the projection after the note must not say yet that the team has changed its documents.
    const before = store.version([seats]);
    await work.handle(note, 'n2', () => [{ type: 'NoteWritten' as const, data: {} }], { wait: false });
    await work.handle(team, 't2', (state) => create(state, { title: 'b', organization: 'o' }), { wait: false });
    await eventually(() => Promise.resolve(store.version([seats]) !== before), 40_000);
    expect(await store.collection(seats).count({})).toBe(2 * seatsOfTeam);
  }, 90_000);
});
