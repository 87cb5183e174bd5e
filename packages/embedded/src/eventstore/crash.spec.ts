import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { type ChildServer, startChild } from './test/child-server.js';
import { randomFrom, seedOfRun } from '../test/random.js';
import { verifyEventStore } from './verify.js';
import { connectTo } from './test/connect.js';
import { collect, counted, failure, until } from './test/server-under-test.js';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? sized(4, 20));
const KILLED_SCAVENGES = Math.max(sized(2, 5), ROUNDS / 10);
const WRITERS = 20;
/** Ample on any machine that works: how fast it writes is not what is asked here. */
const KILL_WITHIN_MS = 60_000;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'eventstore-crash-'));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Writers that append until the server dies; `acknowledged` grows with every answer. */
async function writeUntilKilled(
  server: ChildServer,
  acknowledged: Map<string, bigint>,
  killAfter: number,
  signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<void> {
  const client = connectTo(server.url);
  const before = acknowledged.size;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; ; n += 1) {
      const events = Array.from({ length: 1 + (n % 3) }, () => counted(n));
      const { nextExpectedRevision } = await client.appendToStream(`crash-${String(writer)}`, events);
      events.forEach(({ id }, i) => acknowledged.set(id, nextExpectedRevision - BigInt(events.length - 1 - i)));
    }
  });
  const ended = Promise.allSettled(writers);
  await until(() => acknowledged.size - before > killAfter, KILL_WITHIN_MS);
  await server.kill(signal);
  await ended;
  await client.dispose();
}

async function check(server: ChildServer, acknowledged: ReadonlyMap<string, bigint>): Promise<void> {
  const client = connectTo(server.url);
  const found = new Map<string, bigint>();
  const last = new Map<string, bigint>();
  const wrong: string[] = [];
  for (const { event } of await collect(client.readAll())) {
    if (event === undefined) continue;
    if (event.revision !== (last.get(event.streamId) ?? -1n) + 1n)
      wrong.push(`${event.streamId} jumps to ${String(event.revision)}`);
    last.set(event.streamId, event.revision);
    found.set(event.id, event.revision);
  }
  for (const [id, revision] of acknowledged)
    if (found.get(id) !== revision) wrong.push(`${id} was acknowledged and is lost`);
  for (const [stream, revision] of last) {
    const events = await collect(client.readStream(stream));
    if (events.length !== Number(revision) + 1)
      wrong.push(`${stream} has ${String(events.length)} events in its own stream`);
    if (!events.every(({ event }) => found.get(event?.id ?? '') === event?.revision))
      wrong.push(`${stream} differs from $all`);
  }
  expect(wrong).toEqual([]);
  await client.dispose();
}

describe('a server killed under load', () => {
  it(
    'has lost nothing that it acknowledged',
    async () => {
      const random = randomFrom(seedOfRun('crash'));
      const acknowledged = new Map<string, bigint>();
      const data = join(dir, 'killed');
      let awaited = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const server = await startChild(data);
        const killAfter = 50 + random(400);
        awaited += killAfter;
        await writeUntilKilled(server, acknowledged, killAfter);
        const again = await startChild(data);
        await check(again, acknowledged);
        await again.kill(random(2) === 0 ? 'SIGTERM' : 'SIGKILL');
      }
      process.stdout.write(
        `crash: ${String(ROUNDS)} rounds, ${String(acknowledged.size)} events acknowledged, 0 lost\n`,
      );
      expect(acknowledged.size).toBeGreaterThan(awaited);
      expect((await verifyEventStore(data)).findings).toEqual([]);
    },
    90_000 * ROUNDS,
  );

  it(
    'has lost nothing when it was removing deleted events, over and over',
    async () => {
      const random = randomFrom(seedOfRun('killed scavenges'));
      const kept = new Map<string, bigint>();
      const data = join(dir, 'scavenged');
      for (let round = 0; round < KILLED_SCAVENGES; round += 1) {
        const server = await startChild(data, 0, ['--scavenge-hours', String(20 / 3_600_000)]);
        const client = connectTo(server.url);
        let over = false;
        const deletions = (async () => {
          for (let n = 0; !over; n += 1) {
            const stream = `gone-${String(round)}-${String(n)}`;
            await client.appendToStream(stream, [counted(n), counted(n), counted(n)]);
            await (n % 2 === 0 ? client.tombstoneStream(stream) : client.deleteStream(stream));
          }
        })();
        const ended = Promise.allSettled([deletions]);
        await writeUntilKilled(server, kept, 100 + random(300));
        over = true;
        await ended;
        await client.dispose();
        const again = await startChild(data);
        const reader = connectTo(again.url);
        const found = new Map(
          (await collect(reader.readAll())).flatMap(({ event }) =>
            event?.streamId.startsWith('crash-') === true ? [[event.id, event.revision] as const] : [],
          ),
        );
        expect([...kept].filter(([id, revision]) => found.get(id) !== revision)).toEqual([]);
        await reader.dispose();
        await again.kill('SIGTERM');
      }
      expect((await verifyEventStore(data)).findings).toEqual([]);
    },
    90_000 * KILLED_SCAVENGES,
  );

  it('stops at a request of the system while everybody writes, and has lost nothing', async () => {
    const acknowledged = new Map<string, bigint>();
    const data = join(dir, 'stopped');
    const server = await startChild(data);
    await writeUntilKilled(server, acknowledged, 2_000, 'SIGTERM');
    const again = await startChild(data);
    await check(again, acknowledged);
    await again.kill('SIGTERM');
  }, 120_000);

  it('refuses a second process on its folder, naming the first', async () => {
    const data = join(dir, 'owned');
    const first = await startChild(data);
    const error = await failure(startChild(data));
    expect(error['message']).toContain(`process ${String(first.pid)}`);
    expect(String(error['message']).split('\n')).toHaveLength(1);
    await first.kill('SIGTERM');
    await (await startChild(data)).kill('SIGTERM');
  }, 60_000);
});
