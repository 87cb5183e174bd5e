import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  END,
  eventTypeFilter,
  jsonEvent,
  type Position,
  type ResolvedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import {
  collect,
  counted,
  failure,
  range,
  type ServerUnderTest,
  serverUnderTest,
  until,
} from './test/server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await serverUnderTest();
});
afterAll(() => server.stop());

interface Watched extends NodeJS.EventEmitter {
  unsubscribe(): Promise<void>;
}

/** Gathers what a subscription tells. */
function watch(subscription: Watched) {
  const seen: ResolvedEvent[] = [];
  const told: string[] = [];
  subscription.on('data', (event: ResolvedEvent) => seen.push(event));
  for (const name of ['confirmation', 'caughtUp', 'fellBehind']) subscription.on(name, () => told.push(name));
  return {
    seen,
    told,
    numbers: () => seen.map(({ event }) => Number(event?.revision)),
    end: () => subscription.unsubscribe(),
  };
}

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('subscribing to a stream', () => {
  it('catches up, says so, and goes on live', async () => {
    const stream = server.stream();
    await server.client.appendToStream(stream, range(0, 199));
    const watched = watch(server.client.subscribeToStream(stream, { fromRevision: START }));
    await until(() => watched.told.includes('caughtUp'));
    expect(watched.told[0]).toBe('confirmation');
    expect(watched.numbers()).toEqual(upTo(0, 199));
    for (let n = 200; n < 220; n += 1) await server.client.appendToStream(stream, counted(n));
    await until(() => watched.seen.length === 220);
    expect(watched.numbers()).toEqual(upTo(0, 219));
    await watched.end();
  });

  it('begins behind a revision, at the end, or before the stream exists', async () => {
    const stream = server.stream();
    const early = watch(server.client.subscribeToStream(stream));
    await until(() => early.told.includes('confirmation'));
    await server.client.appendToStream(stream, range(0, 9));
    const behind = watch(server.client.subscribeToStream(stream, { fromRevision: 6n }));
    const last = watch(server.client.subscribeToStream(stream, { fromRevision: END }));
    await until(() => last.told.includes('caughtUp') && behind.told.includes('caughtUp'));
    await server.client.appendToStream(stream, counted(10));
    await until(() => early.seen.length === 11 && last.seen.length === 1 && behind.seen.length === 4);
    expect(behind.numbers()).toEqual([7, 8, 9, 10]);
    expect(last.numbers()).toEqual([10]);
    await Promise.all([early.end(), behind.end(), last.end()]);
  });

  it('has no gap and no repeat while others write', async () => {
    const stream = server.stream();
    let writing = true;
    const writer = (async () => {
      for (let n = 0; writing; n += 5) await server.client.appendToStream(stream, range(n, n + 4));
    })();
    const watched = Array.from({ length: 5 }, () => watch(server.client.subscribeToStream(stream)));
    await until(() => watched.every(({ seen }) => seen.length > 500));
    writing = false;
    await writer;
    const total = (await collect(server.client.readStream(stream))).length;
    await until(() => watched.every(({ seen }) => seen.length === total));
    for (const { numbers, end } of watched) {
      expect(numbers()).toEqual(upTo(0, total - 1));
      await end();
    }
  });

  it('to a tombstoned stream is refused', async () => {
    const stream = server.stream();
    await server.client.tombstoneStream(stream);
    expect(await failure(collect(server.client.subscribeToStream(stream)))).toMatchObject({ type: 'stream-deleted' });
  });
});

describe('subscribing to $all', () => {
  it('delivers behind a position and live, in order', async () => {
    const stream = server.stream();
    const { position } = await server.client.appendToStream(stream, counted(0));
    await server.client.appendToStream(stream, range(1, 3));
    const watched = watch(server.client.subscribeToAll({ fromPosition: position as Position }));
    await until(() => watched.told.includes('caughtUp'));
    await server.client.appendToStream(stream, counted(4));
    await until(() => watched.seen.some(({ event }) => event?.streamId === stream && event.revision === 4n));
    expect(
      watched.seen.filter(({ event }) => event?.streamId === stream).map(({ event }) => Number(event?.revision)),
    ).toEqual([1, 2, 3, 4]);
    await watched.end();
  });

  it('filters by prefix and regular expression of stream and type', async () => {
    const a = server.stream('alpha');
    const b = server.stream('beta');
    const [left, right] = [`L${a.slice(6)}`, `R${a.slice(6)}`];
    for (const stream of [a, b])
      await server.client.appendToStream(stream, [
        jsonEvent({ type: left, data: {} }),
        jsonEvent({ type: right, data: {} }),
      ]);
    const cases = [
      [streamNameFilter({ prefixes: [a, 'none'] }), [`${a}/${left}`, `${a}/${right}`]],
      [streamNameFilter({ regex: `^${b}$` }), [`${b}/${left}`, `${b}/${right}`]],
      [eventTypeFilter({ prefixes: [left] }), [`${a}/${left}`, `${b}/${left}`]],
      [eventTypeFilter({ regex: `^R${a.slice(6)}` }), [`${a}/${right}`, `${b}/${right}`]],
    ] as const;
    for (const [filter, expected] of cases) {
      const watched = watch(server.client.subscribeToAll({ filter }));
      await until(() => watched.told.includes('caughtUp'));
      expect(watched.seen.map(({ event }) => `${String(event?.streamId)}/${String(event?.type)}`)).toEqual(expected);
      await watched.end();
    }
  });

  it('reaches checkpoints by interval and window though nothing matches', async () => {
    const stream = server.stream();
    const { position } = await server.client.appendToStream(stream, counted(0));
    const checkpoints: Position[] = [];
    const filter = streamNameFilter({
      prefixes: ['nothing-has-this-prefix'],
      maxSearchWindow: 10,
      checkpointInterval: 2,
      checkpointReached: (_subscription, at) => {
        checkpoints.push(at);
      },
    });
    const watched = watch(server.client.subscribeToAll({ fromPosition: position as Position, filter }));
    await until(() => watched.told.includes('caughtUp'));
    await server.client.appendToStream(stream, range(1, 100));
    await until(() => checkpoints.length >= 5);
    const events = await collect(server.client.readStream(stream));
    const commits = events.map(({ event }) => event?.position?.commit);
    // A real node may look at events of its own in between: every checkpoint is still an event's position, in order.
    const places = checkpoints.map(({ commit }) => commits.indexOf(commit));
    expect([...places].sort((x, y) => x - y)).toEqual(places);
    expect(watched.seen).toEqual([]);
    await watched.end();
  });

  it('refuses a regular expression that is none', async () => {
    const error = await failure(collect(server.client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) })));
    expect(error).toHaveProperty('type');
  });

  it('holds a slow subscriber back without losing anything or slowing others', async () => {
    const stream = server.stream();
    const text = 'z'.repeat(5_000);
    const slow = server.client.subscribeToStream(stream);
    await new Promise((resolve) => slow.once('confirmation', resolve));
    slow.pause();
    for (let n = 0; n < 40; n += 1) {
      await server.client.appendToStream(
        stream,
        Array.from({ length: 50 }, () => jsonEvent({ type: 'Filler', data: { text } })),
      );
    }
    expect((await collect(server.client.readStream(stream))).length).toBe(2_000);
    const watched = watch(slow);
    slow.resume();
    await until(() => watched.seen.length === 2_000);
    expect(watched.numbers()).toEqual(upTo(0, 1_999));
    await watched.end();
  });
});
