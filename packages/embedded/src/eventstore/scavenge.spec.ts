import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BACKWARDS, END, type EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { type EventStoreServer, startEventStoreServer } from './server.js';
import { connectTo } from './test/connect.js';
import { collect, counted, failure, range, revisions, until } from './test/server-under-test.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'eventstore-scavenge-'));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

interface Started {
  readonly server: EventStoreServer;
  readonly client: EventStoreDBClient;
  readonly dataDir: string;
  readonly stop: () => Promise<void>;
}

async function start(name: string): Promise<Started> {
  const dataDir = join(dir, name);
  const server = await startEventStoreServer({ dataDir });
  const client = connectTo(server.url);
  const stop = async (): Promise<void> => {
    await client.dispose();
    await server.stop();
  };
  return { server, client, dataDir, stop };
}

function filesContain(dataDir: string, text: string): boolean {
  const files = readdirSync(dataDir, { recursive: true }).map((name) => join(dataDir, String(name)));
  return files.some((file) => statSync(file).isFile() && readFileSync(file).includes(text));
}

const secret = (n: number) =>
  jsonEvent({ type: 'NamedSecretly', data: { name: `secret-of-${String(n)}` }, metadata: { by: 'secret-of-9' } });

describe('a scavenge', () => {
  it('removes the bytes of deleted, tombstoned and truncated events and keeps the others', async () => {
    const { server, client, dataDir, stop } = await start('bytes');
    for (const stream of ['deleted-1', 'tombstoned-1', 'truncated-1', 'counted-1']) {
      for (let n = 0; n < 4; n += 1) await client.appendToStream(stream, [secret(n), secret(n)]);
    }
    await client.appendToStream('kept-1', range(0, 9));
    const before = await collect(client.readStream('kept-1'));
    await client.deleteStream('deleted-1');
    await client.tombstoneStream('tombstoned-1');
    await client.setStreamMetadata('truncated-1', { truncateBefore: 8 });
    await client.setStreamMetadata('counted-1', { maxCount: 2 });
    await client.appendToStream('counted-1', range(0, 1));
    expect(filesContain(dataDir, 'secret-of')).toBe(true);

    const result = await server.scavenge();
    expect(result.events).toBe(32);
    expect(result.bytesFreed).toBeGreaterThan(0);
    expect(filesContain(dataDir, 'secret-of')).toBe(false);
    expect(await collect(client.readStream('kept-1'))).toEqual(before);
    const all = await collect(client.readAll());
    expect(all.map(({ event }) => event?.streamId)).toEqual([
      ...Array<string>(10).fill('kept-1'),
      '$$deleted-1',
      'tombstoned-1',
      '$$truncated-1',
      '$$counted-1',
      'counted-1',
      'counted-1',
    ]);
    expect(
      (await collect(client.readAll({ direction: BACKWARDS, fromPosition: END }))).map(({ event }) => event?.id),
    ).toEqual(all.map(({ event }) => event?.id).reverse());
    expect(await server.scavenge()).toMatchObject({ events: 0, files: 0 });
    await stop();
  });

  it('keeps revisions, metadata and tombstones, also when the index is built again', async () => {
    const first = await start('revisions');
    for (const stream of ['deleted-1', 'tombstoned-1', 'truncated-1', 'kept-1'])
      await first.client.appendToStream(stream, range(0, 4));
    await first.client.deleteStream('deleted-1');
    await first.client.tombstoneStream('tombstoned-1');
    await first.client.setStreamMetadata('truncated-1', { truncateBefore: 3, note: 'n' });
    await first.server.scavenge();
    await first.stop();
    rmSync(join(first.dataDir, 'index.lmdb'));

    const { client, server, stop } = await start('revisions');
    expect(await revisions(client.readStream('kept-1'))).toEqual([0, 1, 2, 3, 4]);
    expect(await revisions(client.readStream('truncated-1'))).toEqual([3, 4]);
    expect((await client.getStreamMetadata('truncated-1')).metadata).toEqual({ truncateBefore: 3, note: 'n' });
    expect(await failure(client.appendToStream('tombstoned-1', counted(0)))).toMatchObject({ type: 'stream-deleted' });
    expect(await failure(revisions(client.readStream('deleted-1')))).toMatchObject({ type: 'stream-not-found' });
    expect(
      (await client.appendToStream('deleted-1', counted(5), { expectedRevision: NO_STREAM })).nextExpectedRevision,
    ).toBe(5n);
    expect(await revisions(client.readStream('deleted-1'))).toEqual([5]);
    await server.scavenge();
    expect(await revisions(client.readStream('deleted-1'))).toEqual([5]);
    expect(await revisions(client.readStream('kept-1', { direction: BACKWARDS, fromRevision: END }))).toEqual([
      4, 3, 2, 1, 0,
    ]);
    await stop();
  });

  it('runs by itself as often as it is told to, and gives way to a stop', async () => {
    const dataDir = join(dir, 'scheduled');
    const lines: string[] = [];
    const server = await startEventStoreServer({ dataDir, scavengeEveryMs: 20, logger: (line) => lines.push(line) });
    const client = connectTo(server.url);
    await client.appendToStream('gone-1', [secret(1), secret(2)]);
    await client.appendToStream('kept-1', range(0, 4));
    await client.tombstoneStream('gone-1');
    await until(() => !filesContain(dataDir, 'secret-of'));
    await until(() => lines.some((line) => line.startsWith('scavenge: 2 events removed')));
    expect(await revisions(client.readStream('kept-1'))).toEqual([0, 1, 2, 3, 4]);
    await client.dispose();
    await server.stop();
  });

  it('runs beside writers and subscriptions without a gap', async () => {
    const { client, server, stop } = await start('beside');
    const seen: string[] = [];
    const live = client.subscribeToAll();
    live.on('data', ({ event }) => {
      if (event?.streamId.startsWith('kept') === true) seen.push(`${event.streamId}@${String(event.revision)}`);
    });
    const written: string[] = [];
    let writing = true;
    const writer = (async () => {
      for (let n = 0; writing; n += 1) {
        const { nextExpectedRevision } = await client.appendToStream(`kept-${String(n % 3)}`, counted(n));
        written.push(`kept-${String(n % 3)}@${String(nextExpectedRevision)}`);
      }
    })();
    for (let round = 0; round < 6; round += 1) {
      const stream = `gone-${String(round)}`;
      for (let n = 0; n < 5; n += 1) await client.appendToStream(stream, [secret(n), secret(n)]);
      await (round % 2 === 0 ? client.tombstoneStream(stream) : client.deleteStream(stream));
      expect((await server.scavenge()).events).toBeGreaterThan(0);
    }
    writing = false;
    await writer;
    await until(() => seen.length === written.length);
    expect(seen).toEqual(written);
    const again = (await collect(client.readAll())).flatMap(({ event }) =>
      event?.streamId.startsWith('kept') === true ? [`${event.streamId}@${String(event.revision)}`] : [],
    );
    expect(again).toEqual(written);
    await live.unsubscribe();
    await stop();
    const { client: reader, stop: stopAgain } = await start('beside');
    expect((await revisions(reader.readStream('kept-0'))).length).toBe(
      written.filter((entry) => entry.startsWith('kept-0')).length,
    );
    await stopAgain();
  });
});
