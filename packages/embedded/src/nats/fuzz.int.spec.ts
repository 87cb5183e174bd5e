import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { startNatsServer, type NatsServer } from './index.js';
import { rawClient } from './test/raw-client.js';

const SEED = Number(process.env.SEED ?? 20_240_601);
const FRAMES = 4000;
const PER_CONNECTION = 40;

const frames = [
  'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\n',
  'SUB a.* 1\r\n', 'SUB > 2\r\n', 'SUB a.b q 3\r\n', 'UNSUB 1 3\r\n', 'UNSUB 2\r\n', 'PING\r\n', 'PONG\r\n', '+OK\r\n',
  'PUB a.b 5\r\nhello\r\n', 'PUB a.b reply 0\r\n\r\n', 'HPUB a.b 12 14\r\nNATS/1.0\r\n\r\nhi\r\n',
  `PUB a.b 3000\r\n${'x'.repeat(3000)}\r\n`, 'SUB $SYS.> 9\r\n', 'INFO {}\r\n',
].map((text) => Buffer.from(text));

let server: NatsServer;
beforeAll(async () => {
  server = await startNatsServer({ maxPending: 4 * 1024 * 1024 });
});
afterAll(() => server.stop());

/** Numbers in [0, below) that the seed alone decides (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

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

it(`survives hostile bytes (seed ${SEED})`, async () => {
  const next = random(SEED);
  const witness = await connect({ servers: server.url });
  const heard: string[] = [];
  witness.subscribe('witness', { callback: (_, message) => void heard.push(message.string()) });
  for (let sent = 0; sent < FRAMES; sent += PER_CONNECTION) {
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
});
