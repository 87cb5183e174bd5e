import { describe, expect, it } from '@jest/globals';
import { entityIdOf } from '../events/streams.js';
import { contextOf, create, remove, rename, team, teamEvents } from '../test/team.js';
import { eventually } from '../test/servers.js';
import { useWorld } from '../test/use-world.js';
import { type EventTable } from '../events/events.js';
import { type Store } from '../store/store.js';
import { projection } from './projection.js';

const { world } = useWorld();

/** One document for each event. */
const historyOf = (events: EventTable) =>
  projection({
    name: 'history',
    version: 1,
    grows: true,
    entities: ['identity.team'],
    events: [events],
    writes: ({ id, type, stream }) => [{ put: id, doc: { type, team: entityIdOf(stream) } }],
  });
const before = historyOf(teamEvents.pick('TeamCreated'));
const after = historyOf(teamEvents.pick('TeamCreated', 'TeamRenamed', 'TeamDeleted'));

const typesIn = async (store: Store): Promise<string[]> =>
  (await store.collection(after).find({}).toArray()).map(({ type }) => type).sort();

const made = { title: 'a', organization: 'o1' };

describe('a projection that grows', () => {
  it('fills in the events of new types alone, and goes on with all of them', async () => {
    const first = world.open({ projections: [before] });
    await first.start();
    const work = first.scope(contextOf('x'));
    await work.handle(team, 't1', (state) => create(state, made));
    await work.handle(team, 't1', (state) => rename(state, { title: 'b' }));
    expect(await typesIn(first)).toEqual(['TeamCreated']);
    // What it has taken in is not taken in again: this stays as it is.
    await first.database.collection('history_v1').updateMany({}, { $set: { team: 'as it was' } });
    await first.stop();

    const second = world.open({ projections: [after] });
    await second.start();
    await eventually(async () => (await typesIn(second)).length === 2);
    expect(await typesIn(second)).toEqual(['TeamCreated', 'TeamRenamed']);
    expect(await second.collection(after).count({ team: 'as it was' })).toBe(1);
    await second.scope(contextOf('x')).handle(team, 't1', remove);
    await eventually(async () => (await typesIn(second)).length === 3);
    expect(await typesIn(second)).toEqual(['TeamCreated', 'TeamDeleted', 'TeamRenamed']);
    await second.stop();

    const third = world.open({ projections: [after] });
    await third.start();
    const [rebuilt] = await third.rebuild('history_v1');
    expect(rebuilt?.rebuilt.documents).toBe(3);
  });

  it('is left to replicas that know all of its events', async () => {
    const newer = world.open({ projections: [after] });
    await newer.start();
    const older = world.open({ projections: [before] });
    await older.start();
    await newer.stop();
    const work = older.scope(contextOf('x'));
    await work.handle(team, 't1', (state) => create(state, made), { wait: false });
    await work.handle(team, 't1', (state) => rename(state, { title: 'b' }), { wait: false });
    expect((await older.health()).projections[0]?.held).toBe(false);
    const next = world.open({ projections: [after] });
    await next.start();
    await eventually(async () => (await typesIn(next)).length === 2);
    expect(await typesIn(next)).toEqual(['TeamCreated', 'TeamRenamed']);
  });

  it('does not miss what happened while an older replica ran it', async () => {
    const older = world.open({ projections: [before] });
    await older.start();
    const newer = world.open({ projections: [after] });
    await newer.start();
    const work = older.scope(contextOf('x'));
    await work.handle(team, 't1', (state) => create(state, made));
    await work.handle(team, 't1', (state) => rename(state, { title: 'b' }));
    await older.stop();
    await eventually(async () => (await typesIn(newer)).length === 2);
    expect(await typesIn(newer)).toEqual(['TeamCreated', 'TeamRenamed']);
  });
});
