import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ANY, binaryEvent, jsonEvent, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import { connectTo } from './test/connect.js';
import {
  collect,
  counted,
  failure,
  range,
  revisions,
  type ServerUnderTest,
  serverUnderTest,
} from './test/server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await serverUnderTest();
});
afterAll(() => server.stop());

// The official client sends a single append when credentials are given, a batch append otherwise.
const single = { credentials: { username: 'admin', password: 'changeit' } };

describe.each([
  ['batch append', {}],
  ['append', single],
])('%s', (_name, how) => {
  it('answers the revision and position of the last event', async () => {
    const stream = server.stream();
    const first = await server.client.appendToStream(stream, range(0, 2), how);
    expect(first).toMatchObject({ success: true, nextExpectedRevision: 2n });
    const second = await server.client.appendToStream(stream, counted(3), { ...how, expectedRevision: 2n });
    expect(second.nextExpectedRevision).toBe(3n);
    expect(second.position?.commit).toBeGreaterThan(first.position?.commit ?? 0n);
    const events = await collect(server.client.readStream(stream));
    expect(events[3]?.event?.position?.commit).toBe(second.position?.commit);
  });

  it('keeps data, metadata, type, id and time', async () => {
    const stream = server.stream();
    const id = randomUUID();
    const before = Date.now();
    await server.client.appendToStream(
      stream,
      jsonEvent({ id, type: 'Größe', data: { ключ: '値' }, metadata: { m: [1] } }),
      how,
    );
    const [read] = await collect(server.client.readStream(stream));
    expect(read?.event).toMatchObject({
      id,
      type: 'Größe',
      data: { ключ: '値' },
      metadata: { m: [1] },
      isJson: true,
      streamId: stream,
      revision: 0n,
    });
    expect(Math.abs((read?.event?.created.getTime() ?? 0) - before)).toBeLessThan(60_000);
  });

  it('keeps binary and empty data', async () => {
    const stream = server.stream();
    const data = new Uint8Array([0, 255, 1, 254]);
    await server.client.appendToStream(
      stream,
      [
        binaryEvent({ type: 'b', data, metadata: new Uint8Array([9]) }),
        binaryEvent({ type: 'e', data: new Uint8Array() }),
      ],
      how,
    );
    const [full, empty] = await collect(server.client.readStream(stream));
    expect([...(full?.event?.data as Uint8Array)]).toEqual([...data]);
    expect([...(full?.event?.metadata as Uint8Array)]).toEqual([9]);
    expect(full?.event?.isJson).toBe(false);
    expect((empty?.event?.data as Uint8Array).length).toBe(0);
  });

  it('refuses a wrong revision with the current one', async () => {
    const stream = server.stream();
    await server.client.appendToStream(stream, range(0, 1), how);
    const attempt = (expectedRevision: bigint | 'no_stream') =>
      failure(server.client.appendToStream(stream, counted(9), { ...how, expectedRevision }));
    expect(await attempt(0n)).toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 0n,
      actualVersion: 1n,
    });
    expect(await attempt(7n)).toMatchObject({ type: 'wrong-expected-version', expectedVersion: 7n, actualVersion: 1n });
    expect(await attempt(NO_STREAM)).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 'no_stream',
      actualVersion: 1n,
    });
    expect(await revisions(server.client.readStream(stream))).toEqual([0, 1]);
  });

  it('refuses a revision or an existing stream where there is none', async () => {
    const stream = server.stream();
    const attempt = (expectedRevision: bigint | 'stream_exists') =>
      failure(server.client.appendToStream(stream, counted(9), { ...how, expectedRevision }));
    expect(await attempt(0n)).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 0n,
      actualVersion: 'no_stream',
    });
    expect(await attempt(STREAM_EXISTS)).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 'stream_exists',
      actualVersion: 'no_stream',
    });
  });

  it('takes no_stream, then stream_exists', async () => {
    const stream = server.stream();
    await server.client.appendToStream(stream, counted(0), { ...how, expectedRevision: NO_STREAM });
    const second = await server.client.appendToStream(stream, counted(1), { ...how, expectedRevision: STREAM_EXISTS });
    expect(second.nextExpectedRevision).toBe(1n);
  });

  it('answers a repeated append with what happened, whatever was expected', async () => {
    const stream = server.stream();
    const events = range(0, 1);
    const first = await server.client.appendToStream(stream, events, { ...how, expectedRevision: NO_STREAM });
    await server.client.appendToStream(stream, counted(2), how);
    for (const expectedRevision of [ANY, NO_STREAM, STREAM_EXISTS] as const) {
      const again = await server.client.appendToStream(stream, events, { ...how, expectedRevision });
      expect(again.nextExpectedRevision).toBe(1n);
      expect(again.position?.commit).toBe(first.position?.commit);
    }
    expect(await revisions(server.client.readStream(stream))).toEqual([0, 1, 2]);
  });

  it('refuses a repeated append that continues with something new', async () => {
    const stream = server.stream();
    const event = counted(0);
    await server.client.appendToStream(stream, [event, counted(1)], how);
    const error = await failure(
      server.client.appendToStream(stream, [event, counted(2)], { ...how, expectedRevision: NO_STREAM }),
    );
    expect(error).toMatchObject({ type: 'wrong-expected-version', actualVersion: 1n });
  });

  it('appends a known id again when the current revision is given', async () => {
    const stream = server.stream();
    const event = counted(0);
    await server.client.appendToStream(stream, event, how);
    const again = await server.client.appendToStream(stream, event, { ...how, expectedRevision: 0n });
    expect(again.nextExpectedRevision).toBe(1n);
  });

  it('does nothing for no events', async () => {
    const stream = server.stream();
    await server.client.appendToStream(stream, counted(0), how);
    expect((await server.client.appendToStream(stream, [], how)).nextExpectedRevision).toBe(0n);
    expect(await revisions(server.client.readStream(stream))).toEqual([0]);
  });

  it('refuses an append above 1 MiB and writes none of it', async () => {
    const stream = server.stream();
    const large = () => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(300_000) } });
    const error = await failure(server.client.appendToStream(stream, [large(), large(), large(), large()], how));
    expect(error).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: 1_048_576 });
    expect(await failure(collect(server.client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' });
    expect((await server.client.appendToStream(stream, [large(), large(), large()], how)).success).toBe(true);
  });

  it('counts the characters of the type twice', async () => {
    const stream = server.stream();
    const sized = (text: number) => jsonEvent({ type: 'T'.repeat(1000), data: { text: 'x'.repeat(text) } });
    const limit = 1_048_576 - 2 * 1000 - '{"text":""}'.length;
    const error = await failure(server.client.appendToStream(stream, sized(limit + 1), how));
    expect(error).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: 1_048_576 });
    expect((await server.client.appendToStream(stream, sized(limit), how)).success).toBe(true);
  });
});

describe('batch append', () => {
  it('keeps each writer in its place among 50', async () => {
    const streams = Array.from({ length: 50 }, () => server.stream());
    await Promise.all(
      streams.map(async (stream) => {
        for (let n = 0; n < 20; n += 1)
          await server.client.appendToStream(stream, counted(n), {
            expectedRevision: n === 0 ? NO_STREAM : BigInt(n - 1),
          });
      }),
    );
    for (const stream of streams) expect(await revisions(server.client.readStream(stream))).toHaveLength(20);
  });

  it('lets one of many win a revision', async () => {
    const stream = server.stream();
    const outcomes = await Promise.allSettled(
      range(1, 30).map((event) => server.client.appendToStream(stream, event, { expectedRevision: NO_STREAM })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await revisions(server.client.readStream(stream))).toEqual([0]);
  });

  it('takes an append in several messages', async () => {
    const stream = server.stream();
    await server.client.appendToStream(stream, range(0, 499), { batchAppendSize: 1_000 });
    expect(await revisions(server.client.readStream(stream))).toHaveLength(500);
  });

  it('answers an append whose deadline has passed and goes on with the others', async () => {
    const client = connectTo(server.url);
    await client.appendToStream(server.stream(), counted(0));
    const late = failure(client.appendToStream(server.stream(), counted(0), { deadline: -1 }));
    const fine = client.appendToStream(server.stream(), counted(0));
    expect(await late).toMatchObject({ type: 'deadline-exceeded' });
    expect((await fine).success).toBe(true);
    await client.dispose();
  });

  it('answers the deadline when an append is both too late and too large', async () => {
    const large = jsonEvent({ type: 'Large', data: { text: 'x'.repeat(1_200_000) } });
    const stream = server.stream();
    expect(await failure(server.client.appendToStream(stream, large, { deadline: -1 }))).toMatchObject({
      type: 'deadline-exceeded',
    });
    expect(await failure(server.client.appendToStream(stream, large))).toMatchObject({
      type: 'maximum-append-size-exceeded',
    });
  });

  it('refuses the streams nobody may write', async () => {
    expect(await failure(server.client.appendToStream('$all', counted(0), single))).toMatchObject({
      type: 'access-denied',
    });
  });
});
