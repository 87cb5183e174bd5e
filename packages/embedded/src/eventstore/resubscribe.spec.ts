import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreDBClient, type Position, START, streamNameFilter } from '@eventstore/db-client';
import { type EventStoreServer, startEventStoreServer } from './server.js';
import { randomFrom, seedOfRun } from '../test/random.js';
import { connectTo } from './test/connect.js';
import { collect, counted, until } from './test/server-under-test.js';

const ROUNDS = 5;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'eventstore-resubscribe-'));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Subscribes again from the last place it knows, whenever its subscription ends, as a projection does. */
function follower(client: EventStoreDBClient, prefix: string) {
  const seen: string[] = [];
  let from: Position | 'start' = START;
  let ended = false;
  let end: () => Promise<void> = () => Promise.resolve();
  const connect = (): void => {
    if (ended) return;
    const filter = streamNameFilter({
      prefixes: [prefix],
      checkpointReached: (_subscription, position) => {
        from = position;
      },
    });
    const subscription = client.subscribeToAll({ fromPosition: from, filter });
    subscription.on('data', ({ event }) => {
      if (event?.position === undefined) return;
      seen.push(`${event.streamId}@${String(event.revision)}`);
      from = event.position;
    });
    subscription.once('error', () => setTimeout(connect, 10));
    end = () => subscription.unsubscribe();
  };
  connect();
  return {
    seen,
    end: async () => {
      ended = true;
      await end();
    },
  };
}

/** A client whose connection stands: after a restart the first attempts may come too early. */
async function connected(url: string): Promise<EventStoreDBClient> {
  const client = connectTo(url);
  const reads = () =>
    collect(client.readAll({ maxCount: 1 })).then(
      () => true,
      () => false,
    );
  await until(reads);
  return client;
}

async function writeRound(client: EventStoreDBClient, count: number, written: string[]): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const stream = `${n % 4 === 0 ? 'other' : 'kept'}-${String(n % 7)}`;
    const { nextExpectedRevision } = await client.appendToStream(stream, counted(n));
    if (stream.startsWith('kept')) written.push(`${stream}@${String(nextExpectedRevision)}`);
  }
}

describe('a subscription across restarts of the server', () => {
  it('sees every event once and in order', async () => {
    const random = randomFrom(seedOfRun('resubscribe'));
    const dataDir = join(dir, 'data');
    const auth = { user: 'reader', password: 'of this spec' };
    let server: EventStoreServer = await startEventStoreServer({ dataDir, auth });
    const { port, url } = server;
    const reader = connectTo(url);
    const followers = [follower(reader, 'kept-'), follower(reader, 'kept-')];
    const written: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const writer = await connected(url);
      await writeRound(writer, 100 + random(300), written);
      await writer.dispose();
      // The stop comes at any point of the delivery.
      const target = written.length - random(100);
      await until(() => followers.every(({ seen }) => seen.length >= target));
      await server.stop();
      server = await startEventStoreServer({ dataDir, port, auth });
    }
    await until(() => followers.every(({ seen }) => seen.length >= written.length));
    for (const { seen, end } of followers) {
      expect(seen).toEqual(written);
      await end();
    }
    await reader.dispose();
    await server.stop();
  }, 120_000);
});
