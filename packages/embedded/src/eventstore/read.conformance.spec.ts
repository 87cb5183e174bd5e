import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BACKWARDS, binaryEvent, END, FORWARDS, jsonEvent, type ResolvedEvent, START } from '@eventstore/db-client';
import {
  collect,
  counted,
  failure,
  range,
  revisions,
  type ServerUnderTest,
  serverUnderTest,
  until,
} from './test/server-under-test.js';

let server: ServerUnderTest;
let stream: string;
beforeAll(async () => {
  server = await serverUnderTest();
  stream = server.stream();
  for (let n = 0; n < 1_000; n += 100) await server.client.appendToStream(stream, range(n, n + 99));
});
afterAll(() => server.stop());

const upTo = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => (from <= to ? from + i : from - i));

describe('reading a stream', () => {
  it('goes forwards from start, a revision, and the end', async () => {
    expect(await revisions(server.client.readStream(stream))).toEqual(upTo(0, 999));
    expect(await revisions(server.client.readStream(stream, { fromRevision: 990n }))).toEqual(upTo(990, 999));
    expect(await revisions(server.client.readStream(stream, { fromRevision: 5n, maxCount: 3 }))).toEqual([5, 6, 7]);
    expect(await revisions(server.client.readStream(stream, { fromRevision: END }))).toEqual([]);
    expect(await revisions(server.client.readStream(stream, { fromRevision: 5_000n }))).toEqual([]);
  });

  it('goes backwards from the end, a revision, and the start', async () => {
    const direction = BACKWARDS;
    expect(await revisions(server.client.readStream(stream, { direction, fromRevision: END }))).toEqual(upTo(999, 0));
    expect(await revisions(server.client.readStream(stream, { direction, fromRevision: END, maxCount: 1 }))).toEqual([
      999,
    ]);
    expect(await revisions(server.client.readStream(stream, { direction, fromRevision: 2n }))).toEqual([2, 1, 0]);
    expect(await revisions(server.client.readStream(stream, { direction, fromRevision: START }))).toEqual([0]);
  });

  it('tells a stream that does not exist', async () => {
    const name = server.stream();
    expect(await failure(collect(server.client.readStream(name)))).toMatchObject({
      type: 'stream-not-found',
      streamName: name,
    });
  });

  it('carries large events whole', async () => {
    const large = server.stream();
    const text = 'ä'.repeat(450_000);
    await server.client.appendToStream(large, [counted(0), jsonEvent({ type: 'Large', data: { text } }), counted(2)]);
    for (const direction of [FORWARDS, BACKWARDS] as const) {
      const events = await collect(
        server.client.readStream(large, { direction, fromRevision: direction === FORWARDS ? START : END }),
      );
      expect(events.map(({ event }) => event?.type)).toEqual(['Counted', 'Large', 'Counted']);
      expect(events[1]?.event?.data).toEqual({ text });
    }
  });

  it('can be given up in the middle', async () => {
    let seen = 0;
    for await (const _ of server.client.readStream(stream)) if ((seen += 1) === 10) break;
    expect(seen).toBe(10);
    expect(await revisions(server.client.readStream(stream, { maxCount: 1 }))).toEqual([0]);
  });

  it('resolves links, also to what is gone', async () => {
    const links = server.stream();
    const link = (target: string) => binaryEvent({ type: '$>', data: new Uint8Array(Buffer.from(target)) });
    await server.client.appendToStream(links, [link(`3@${stream}`), link(`7@${server.stream()}`)]);
    const [found, gone] = await collect(server.client.readStream(links, { resolveLinkTos: true }));
    expect(found).toMatchObject({ event: { revision: 3n, streamId: stream }, link: { revision: 0n, streamId: links } });
    expect(gone?.event).toBeUndefined();
    expect(gone?.link).toMatchObject({ revision: 1n });
    const [plain] = await collect(server.client.readStream(links));
    expect(plain?.event?.type).toBe('$>');
  });
});

describe('reading $all', () => {
  const ours = (events: ResolvedEvent[], name: string) => events.filter(({ event }) => event?.streamId === name);

  it('holds every event once and in the order of positions, both ways', async () => {
    const forwards = await collect(server.client.readAll());
    const positions = forwards.map(({ event }) => event?.position?.commit ?? 0n);
    expect([...positions].sort((a, b) => Number(a - b))).toEqual(positions);
    expect(new Set(positions).size).toBe(positions.length);
    expect(ours(forwards, stream).map(({ event }) => Number(event?.revision))).toEqual(upTo(0, 999));
    const backwards = await collect(server.client.readAll({ direction: BACKWARDS, fromPosition: END }));
    expect(backwards.map(({ event }) => event?.id)).toEqual(forwards.map(({ event }) => event?.id).reverse());
  });

  it('begins at a position forwards, in front of it backwards', async () => {
    const [third, fourth] = await collect(server.client.readStream(stream, { fromRevision: 3n, maxCount: 2 }));
    const position = fourth?.event?.position ?? { commit: 0n, prepare: 0n };
    const [after] = await collect(server.client.readAll({ fromPosition: position, maxCount: 1 }));
    expect(after?.event?.id).toBe(fourth?.event?.id);
    const [before] = await collect(
      server.client.readAll({ direction: BACKWARDS, fromPosition: position, maxCount: 1 }),
    );
    expect(before?.event?.id).toBe(third?.event?.id);
  });

  it('has nothing behind its end or in front of its start', async () => {
    expect(await collect(server.client.readAll({ fromPosition: END }))).toEqual([]);
    expect(await collect(server.client.readAll({ direction: BACKWARDS, fromPosition: START }))).toEqual([]);
  });
});

describe('deadlines and cancellation', () => {
  it('lets a reader cancel and goes on serving', async () => {
    const reader = server.client.readAll();
    let seen = 0;
    reader.on('data', () => (seen += 1));
    await until(() => seen > 0);
    await reader.cancel();
    expect(await revisions(server.client.readStream(stream, { maxCount: 2 }))).toEqual([0, 1]);
  });
});
