import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { startNatsServer, type NatsServer } from './index.js';
import { liveBytes } from '../test/heap.js';
import { randomFrom, seedOfRun } from '../test/random.js';
import { rawClient } from './test/raw-client.js';

const SEED = seedOfRun('hostile lines');
const FRAMES = Number(process.env['HOSTILE_FRAMES'] ?? 4_000);
const MOST_GROWTH = 48 * 1024 * 1024;
const PER_CONNECTION = 40;

const frames = [
  'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\n',
  'SUB a.* 1\r\n',
  'SUB > 2\r\n',
  'SUB a.b q 3\r\n',
  'UNSUB 1 3\r\n',
  'UNSUB 2\r\n',
  'PING\r\n',
  'PONG\r\n',
  '+OK\r\n',
  'PUB a.b 5\r\nhello\r\n',
  'PUB a.b reply 0\r\n\r\n',
  'HPUB a.b 12 14\r\nNATS/1.0\r\n\r\nhi\r\n',
  `PUB a.b 3000\r\n${'x'.repeat(3000)}\r\n`,
  'SUB $SYS.> 9\r\n',
  'INFO {}\r\n',
].map((text) => Buffer.from(text));

let server: NatsServer;
beforeAll(async () => {
  server = await startNatsServer({ auth: 'none', maxPending: 4 * 1024 * 1024 });
});
afterAll(() => server.stop());

function hostile(next: (below: number) => number): Buffer {
  const kind = next(10);
  if (kind === 0) return Buffer.from(Array.from({ length: 1 + next(300) }, () => next(256)));
  const frame = Buffer.from(frames[next(frames.length)] ?? '');
  if (kind < 4) return frame;
  if (kind < 6) return frame.subarray(0, next(frame.length + 1));
  if (kind === 6) return Buffer.concat([frame.subarray(0, next(frame.length)), frame]);
  for (let flips = 1 + next(4); flips > 0; flips--) frame[next(frame.length)] = next(256);
  return frame;
}

it(
  'survives hostile bytes',
  async () => {
    const next = randomFrom(SEED);
    const witness = await connect({ servers: server.url });
    const heard: string[] = [];
    witness.subscribe('witness', { callback: (_, message) => void heard.push(message.string()) });
    let early = 0;
    for (let sent = 0; sent < FRAMES; sent += PER_CONNECTION) {
      if (sent === 1_000) early = liveBytes();
      const client = await rawClient(server.port);
      client.socket.write(frames[0] ?? '');
      for (let at = 0; at < PER_CONNECTION; at++) client.socket.write(hostile(next));
      witness.publish('witness', `${sent}`);
      await witness.flush();
      client.socket.destroy();
    }
    await witness.flush();
    expect(heard).toHaveLength(FRAMES / PER_CONNECTION);
    await witness.close();
    expect(liveBytes() - early).toBeLessThan(MOST_GROWTH);
  },
  60_000 + FRAMES * 10,
);
