import { describe, expect, it } from '@jest/globals';
import { Long } from 'mongodb';
import { z } from 'zod';
import { defineEvents } from '../events/events.js';
import { contextOf, create, team, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';
import { projection } from './projection.js';

const { world } = useWorld();

/** Consumes nothing that is recorded here. */
const letters = projection({
  name: 'letter',
  version: 1,
  events: [defineEvents({ LetterWritten: z.object({}) })],
  entities: ['letter'],
  indexes: [],
  id: (event) => event.entityId,
  evolve: () => ({}),
});

describe('a store that starts', () => {
  it('does not wait for events that a projection does not consume, however far behind them it was left', async () => {
    const first = world.open({ projections: [teamList, letters] });
    await first.start();
    const scope = first.scope(contextOf('x'));
    const done = await scope.handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o' }));
    await first.stop();
    // As its replica left it when it died: behind the events of others, and taken over later than they are.
    const { database } = world.open({});
    const consumers = database.collection<{ _id: string }>('op_consumers');
    const left = { position: Long.fromNumber(1), state: 'live', owner: 'a replica that died' };
    await consumers.updateOne({ _id: letters.collection }, { $set: left });

    const second = world.open({ projections: [teamList, letters] });
    await second.start();
    expect((await second.health()).projections.map(({ state }) => state)).toEqual(['live', 'live']);
    expect(await second.waitForPosition(done.position, 10_000)).toBe('reached');
  });
});
