import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineAggregate } from '../aggregates/aggregate.js';
import { type EventOf, defineEvents } from '../events/events.js';
import { sweepTombstones } from '../store/maintenance.js';
import { type Write, projection } from './projection.js';
import { type Servers, type World, createWorld, startServers } from '../test/servers.js';
import { contextOf } from '../test/team.js';
import { type SampleEvent, redelivered } from '../testing.js';

const pageEvents = defineEvents({
  PageAdded: z.object({ space: z.string(), title: z.string() }),
  PageMoved: z.object({ space: z.string() }),
  SpaceRenamed: z.object({ space: z.string(), title: z.string() }),
  SpaceEmptied: z.object({ space: z.string() }),
  SpaceClosed: z.object({ space: z.string() }),
  SpaceCopied: z.object({ space: z.string(), to: z.array(z.string()) }),
});
type PageEvent = EventOf<typeof pageEvents>;

interface PageDoc {
  kind: 'page' | 'space';
  space: string;
  title: string;
  spaceTitle?: string | undefined;
  moves?: { count: number };
}

const pages = projection({
  name: 'pages',
  version: 1,
  events: [pageEvents],
  entities: ['page'],
  indexes: [{ key: { space: 1, kind: 1 } }],
  writes: (event): Write<PageDoc>[] => {
    const { space } = event.data;
    switch (event.type) {
      case 'PageAdded':
        return [
          {
            put: event.entityId,
            doc: { kind: 'page', space, title: event.data.title, spaceTitle: 'none' },
            unless: `closed/${space}`,
          },
          { change: space, by: (doc) => doc ?? { kind: 'space', space, title: space } },
        ];
      case 'PageMoved':
        return [
          { set: event.entityId, fields: { space, spaceTitle: undefined } },
          { inc: event.entityId, by: { 'moves.count': 1 } },
        ];
      case 'SpaceRenamed':
        return [
          { set: space, fields: { title: event.data.title } },
          { setWhere: { space, kind: 'page' }, fields: { spaceTitle: event.data.title } },
        ];
      case 'SpaceEmptied':
        return [{ removeWhere: { space, kind: { $in: ['page'] } } }, { remove: space }];
      case 'SpaceClosed':
        return [
          { removeWhere: { space } },
          { put: `closed/${space}`, doc: { kind: 'space', space: '', title: 'closed' } },
        ];
      case 'SpaceCopied': {
        const { to } = event.data;
        const copy = (original: PageDoc | null) => ({ kind: 'space' as const, title: original?.title ?? 'none' });
        return [{ from: space, puts: (original) => new Map(to.map((id) => [id, { ...copy(original), space: id }])) }];
      }
    }
  },
});

const page = defineAggregate({
  service: 'identity',
  entity: 'page',
  events: pageEvents,
  initial: 0,
  evolve: (count: number) => count + 1,
});

const history: (PageEvent & { entityId: string })[] = [
  { entityId: 'p1', type: 'PageAdded', data: { space: 's1', title: 'One' } },
  { entityId: 'p2', type: 'PageAdded', data: { space: 's1', title: 'Two' } },
  { entityId: 'x', type: 'SpaceRenamed', data: { space: 's1', title: 'First' } },
  { entityId: 'p3', type: 'PageAdded', data: { space: 's2', title: 'Three' } },
  { entityId: 'p2', type: 'PageMoved', data: { space: 's2' } },
  { entityId: 'p4', type: 'PageAdded', data: { space: 's1', title: 'Four' } },
  { entityId: 'p2', type: 'PageMoved', data: { space: 's3' } },
  { entityId: 'x', type: 'SpaceEmptied', data: { space: 's2' } },
  { entityId: 'p3', type: 'PageAdded', data: { space: 's1', title: 'Three again' } },
  { entityId: 'p5', type: 'PageAdded', data: { space: 's4', title: 'Five' } },
  { entityId: 'x', type: 'SpaceClosed', data: { space: 's4' } },
  { entityId: 'p6', type: 'PageAdded', data: { space: 's4', title: 'Too late' } },
  { entityId: 'x', type: 'SpaceCopied', data: { space: 's1', to: ['c1', 'c2', 's1'] } },
  { entityId: 'x', type: 'SpaceCopied', data: { space: 'unknown', to: ['c3', 'c2'] } },
  { entityId: 'x', type: 'SpaceEmptied', data: { space: 'c3' } },
];

const expected = new Map<string, PageDoc>([
  ['c1', { kind: 'space', space: 'c1', title: 'First' }],
  ['c2', { kind: 'space', space: 'c2', title: 'none' }],
  ['closed/s4', { kind: 'space', space: '', title: 'closed' }],
  ['p1', { kind: 'page', space: 's1', title: 'One', spaceTitle: 'First' }],
  ['p2', { kind: 'page', space: 's3', title: 'Two', moves: { count: 2 } }],
  ['p3', { kind: 'page', space: 's1', title: 'Three again', spaceTitle: 'none' }],
  ['p4', { kind: 'page', space: 's1', title: 'Four', spaceTitle: 'none' }],
  ['s1', { kind: 'space', space: 's1', title: 'First' }],
  ['s4', { kind: 'space', space: 's4', title: 's4' }],
]);

describe('writes', () => {
  let servers: Servers;
  let world: World;
  beforeAll(async () => void (servers = await startServers()));
  afterAll(() => servers.stop());
  beforeEach(() => void (world = createWorld(servers)));
  afterEach(() => world.close());

  it('mean in memory what they mean in the database, one by one and in one batch', async () => {
    expect(new Map([...redelivered(pages, history satisfies SampleEvent[])].sort())).toEqual(expected);
    const live = world.open({ projections: [pages] });
    await live.start();
    for (const { entityId, ...event } of history)
      await live.scope(contextOf('x')).handle(page, entityId, () => [event]);
    const docs = async () =>
      new Map(
        (await live.collection(pages).find({}).sort({ _id: 1 }).toArray()).map(({ _id, _at, ...doc }) => [_id, doc]),
      );
    expect(await docs()).toEqual(expected);
    for (const { equal, rebuilt } of await live.rebuild())
      expect([equal, rebuilt.documents]).toEqual([true, expected.size]);
  });

  it('leave tombstones until they are swept, after which the document may come again', async () => {
    const store = world.open({ projections: [pages] });
    await store.start();
    for (const { entityId, ...event } of history.slice(0, 8))
      await store.scope(contextOf('x')).handle(page, entityId, () => [event]);
    const { raw } = store.collection(pages);
    const position = (
      await store
        .scope(contextOf('x'))
        .handle(page, 'p1', (): PageEvent[] => [{ type: 'PageMoved', data: { space: 's1' } }])
    ).position;
    await expect(raw.countDocuments({ _gone: true })).resolves.toBe(2);
    await sweepTombstones(store.database, pages.collection, position);
    await expect(raw.countDocuments({ _gone: true })).resolves.toBe(0);
    await store
      .scope(contextOf('x'))
      .handle(page, 'p3', (): PageEvent[] => [{ type: 'PageAdded', data: { space: 's1', title: 'Three again' } }]);
    await expect(store.collection(pages).byId('p3')).resolves.toMatchObject({ title: 'Three again' });
    for (const { equal } of await store.rebuild()) expect(equal).toBe(true);
  });
});
