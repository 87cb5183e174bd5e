import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BACKWARDS, END, jsonEvent, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
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
beforeAll(async () => {
  server = await serverUnderTest();
});
afterAll(() => server.stop());

async function filled(count = 5): Promise<string> {
  const stream = server.stream();
  await server.client.appendToStream(stream, range(0, count - 1));
  return stream;
}
const read = (stream: string) => revisions(server.client.readStream(stream));

describe('deleting a stream', () => {
  it('hides its events and lets it begin again behind them', async () => {
    const stream = await filled();
    const { position } = await server.client.deleteStream(stream, { expectedRevision: 4n });
    expect(position?.commit).toBeGreaterThan(0n);
    expect(await failure(read(stream))).toMatchObject({ type: 'stream-not-found' });
    const again = await server.client.appendToStream(stream, range(5, 6), { expectedRevision: NO_STREAM });
    expect(again.nextExpectedRevision).toBe(6n);
    expect(await read(stream)).toEqual([5, 6]);
    expect(await revisions(server.client.readStream(stream, { direction: BACKWARDS, fromRevision: END }))).toEqual([
      6, 5,
    ]);
  });

  it('lets a writer who knows the last revision go on', async () => {
    const stream = await filled();
    await server.client.deleteStream(stream);
    expect(
      (await server.client.appendToStream(stream, counted(5), { expectedRevision: 4n })).nextExpectedRevision,
    ).toBe(5n);
    expect(await read(stream)).toEqual([5]);
  });

  it('answers stream_exists on it with deleted', async () => {
    const stream = await filled();
    await server.client.deleteStream(stream);
    expect(
      await failure(server.client.appendToStream(stream, counted(5), { expectedRevision: STREAM_EXISTS })),
    ).toMatchObject({ type: 'stream-deleted', streamName: stream });
  });

  it('refuses a wrong revision', async () => {
    const stream = await filled();
    expect(await failure(server.client.deleteStream(stream, { expectedRevision: 1n }))).toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 1n,
      actualVersion: 4n,
    });
    expect(await failure(server.client.deleteStream(server.stream(), { expectedRevision: 1n }))).toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 'no_stream',
    });
    expect(await read(stream)).toHaveLength(5);
  });

  it('keeps the old events hidden when metadata is set afterwards', async () => {
    const stream = await filled();
    await server.client.deleteStream(stream);
    await server.client.setStreamMetadata(stream, { cacheControl: 5 });
    const shown = await read(stream).catch(() => []);
    expect(shown).toEqual([]);
    expect((await server.client.getStreamMetadata(stream)).metadata).toMatchObject({
      cacheControl: 5,
      truncateBefore: 5,
    });
    await server.client.appendToStream(stream, counted(5));
    expect(await read(stream)).toEqual([5]);
  });

  it('keeps the other metadata when the stream begins again', async () => {
    const stream = await filled();
    await server.client.setStreamMetadata(stream, { maxCount: 2, owner: 'me' });
    await server.client.deleteStream(stream);
    await server.client.appendToStream(stream, counted(5));
    expect((await server.client.getStreamMetadata(stream)).metadata).toMatchObject({ truncateBefore: 5 });
  });
});

describe('a tombstone', () => {
  it('ends the stream for good', async () => {
    const stream = await filled();
    await server.client.tombstoneStream(stream, { expectedRevision: 4n });
    const gone = { type: 'stream-deleted', streamName: stream };
    expect(await failure(read(stream))).toMatchObject(gone);
    for (const options of [{}, { credentials: { username: 'a', password: 'b' } }]) {
      expect(await failure(server.client.appendToStream(stream, counted(5), options))).toMatchObject(gone);
    }
    expect(await failure(server.client.deleteStream(stream))).toMatchObject(gone);
    expect(await failure(server.client.tombstoneStream(stream))).toMatchObject(gone);
  });

  it('can be set on a stream that never was, and is refused at a wrong revision', async () => {
    const stream = server.stream();
    await server.client.tombstoneStream(stream, { expectedRevision: NO_STREAM });
    expect(await failure(read(stream))).toMatchObject({ type: 'stream-deleted' });
    expect(await failure(server.client.tombstoneStream(await filled(), { expectedRevision: 9n }))).toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 4n,
    });
  });

  it('stands in $all', async () => {
    const stream = await filled(1);
    const { position } = await server.client.tombstoneStream(stream);
    const [event] = await collect(server.client.readAll({ fromPosition: position ?? END, maxCount: 1 }));
    expect(event?.event).toMatchObject({ type: '$streamDeleted', streamId: stream, revision: 9223372036854775807n });
  });

  it('ends a subscription to the stream', async () => {
    const stream = await filled(1);
    const errors: unknown[] = [];
    const subscription = server.client.subscribeToStream(stream).on('error', (error) => errors.push(error));
    subscription.resume();
    await new Promise((resolve) => subscription.once('caughtUp', resolve));
    await server.client.tombstoneStream(stream);
    await until(() => errors.length > 0);
    expect(errors[0]).toMatchObject({ type: 'stream-deleted', streamName: stream });
  });
});

describe('stream metadata', () => {
  it('is read as it was written, last one only', async () => {
    const stream = await filled();
    expect(await server.client.getStreamMetadata(stream)).toEqual({ streamName: stream });
    await server.client.setStreamMetadata(stream, { maxCount: 9 });
    const acl = { readRoles: ['ops'], writeRoles: ['$admins'], deleteRoles: [], metaReadRoles: [], metaWriteRoles: [] };
    await server.client.setStreamMetadata(stream, { maxAge: 60, acl, note: 'kept' });
    expect((await server.client.getStreamMetadata(stream)).metadata).toEqual({ maxAge: 60, acl, note: 'kept' });
    expect(await revisions(server.client.readStream(`$$${stream}`))).toEqual([1]);
  });

  it('is refused at a wrong revision', async () => {
    const stream = await filled();
    await server.client.setStreamMetadata(stream, {}, { expectedRevision: NO_STREAM });
    expect(await failure(server.client.setStreamMetadata(stream, {}, { expectedRevision: NO_STREAM }))).toMatchObject({
      type: 'wrong-expected-version',
    });
  });

  it('limits by $maxCount', async () => {
    const stream = await filled(10);
    await server.client.setStreamMetadata(stream, { maxCount: 3 });
    expect(await read(stream)).toEqual([7, 8, 9]);
    expect(await revisions(server.client.readStream(stream, { fromRevision: 2n, maxCount: 2 }))).toEqual([7, 8]);
    await server.client.appendToStream(stream, counted(10));
    expect(await revisions(server.client.readStream(stream, { direction: BACKWARDS, fromRevision: END }))).toEqual([
      10, 9, 8,
    ]);
  });

  it('limits by $tb', async () => {
    const stream = await filled(10);
    await server.client.setStreamMetadata(stream, { truncateBefore: 8 });
    expect(await read(stream)).toEqual([8, 9]);
    await server.client.setStreamMetadata(stream, { truncateBefore: 20 });
    expect(await read(stream)).toEqual([]);
    expect(
      (await server.client.appendToStream(stream, counted(10), { expectedRevision: 9n })).nextExpectedRevision,
    ).toBe(10n);
  });

  it('limits by $maxAge', async () => {
    const stream = await filled(3);
    await server.client.setStreamMetadata(stream, { maxAge: 1 });
    await until(async () => (await read(stream)).length === 0);
    // What is appended is read while it is younger than that; the next one is, if this one was read too late.
    await until(async () => {
      const { nextExpectedRevision } = await server.client.appendToStream(stream, counted(3));
      return (await read(stream)).includes(Number(nextExpectedRevision));
    });
  });

  it('that is no JSON counts as none', async () => {
    const stream = await filled(3);
    await server.client.appendToStream(
      `$$${stream}`,
      jsonEvent({ type: '$metadata', data: { $maxCount: 'many', $tb: -4 } }),
    );
    expect(await read(stream)).toEqual([0, 1, 2]);
  });
});
