import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreDBClient } from '@eventstore/db-client';
import { type EventStoreServer, startEventStoreServer } from './server.js';
import { liveBytes } from '../test/heap.js';
import { randomFrom, seedOfRun } from '../test/random.js';
import { connectTo } from './test/connect.js';
import { counted, revisions } from './test/server-under-test.js';
import { frame } from './wire/protobuf.js';

const METHODS = ['Read', 'Append', 'BatchAppend', 'Delete', 'Tombstone'];
const FRAMES = Number(process.env['HOSTILE_FRAMES'] ?? 1_500);
const MOST_GROWTH = 48 * 1024 * 1024;

const credentials = { user: 'somebody', password: 'of these specs' };
const authorization = `Basic ${Buffer.from('somebody:of these specs').toString('base64')}`;

let server: EventStoreServer;
let client: EventStoreDBClient;
beforeAll(async () => {
  server = await startEventStoreServer({ auth: credentials });
  client = connectTo(server.url);
  await client.appendToStream('here', counted(0));
});
afterAll(async () => {
  await client.dispose();
  await server.stop();
});

/** Sends bytes to a method and resolves with the status, or with 'closed'. */
function call(session: ClientHttp2Session, method: string, body: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/event_store.client.streams.Streams/${method}`,
      'content-type': 'application/grpc',
      'grpc-timeout': '2S',
      authorization,
    });
    const done = (headers: IncomingHttpHeaders): void => {
      const status = headers['grpc-status'];
      if (typeof status === 'string') resolve(status);
    };
    stream
      .on('response', done)
      .on('trailers', done)
      .on('error', () => {
        resolve('closed');
      })
      .on('close', () => {
        resolve('closed');
      });
    stream.resume();
    stream.end(body);
  });
}

const session = async (): Promise<ClientHttp2Session> => {
  const opened = connect(`http://127.0.0.1:${String(server.port)}`);
  opened.on('error', () => undefined);
  await new Promise((resolve) => opened.once('connect', resolve));
  return opened;
};

const serves = async () => (await revisions(client.readStream('here'))).length === 1;

describe('bytes that no client sends', () => {
  it(
    'end their own call and nothing else',
    async () => {
      const random = randomFrom(seedOfRun('hostile'));
      const opened = await session();
      // A read of the stream 'here', in which bytes are then changed.
      const sound = frame(
        Buffer.from('0a1d0a0a0a061a0468657265' + '1a00' + '1800' + '28ffffffffffffff0f' + '420a00' + '4a021200', 'hex'),
      );
      let early = 0;
      for (let i = 0; i < FRAMES; i += 50) {
        if (i === 500) early = liveBytes();
        const calls = Array.from({ length: 50 }, () => {
          const bytes =
            random(3) === 0 ? Buffer.from(Array.from({ length: random(60) }, () => random(256))) : Buffer.from(sound);
          for (let flips = random(6); flips > 0 && bytes.length > 0; flips -= 1)
            bytes[random(bytes.length)] = random(256);
          return call(opened, METHODS[random(METHODS.length)] ?? 'Read', bytes);
        });
        expect((await Promise.all(calls)).every((status) => status !== '')).toBe(true);
      }
      expect(await serves()).toBe(true);
      opened.destroy();
      expect(liveBytes() - early).toBeLessThan(MOST_GROWTH);
    },
    60_000 + FRAMES * 10,
  );

  it('are refused when compressed, too large, to nowhere, or not gRPC', async () => {
    const opened = await session();
    expect(await call(opened, 'Read', Buffer.from([1, 0, 0, 0, 1, 0]))).toBe('12');
    expect(await call(opened, 'Read', Buffer.from([0, 255, 255, 255, 255, 0]))).toBe('8');
    expect(await call(opened, 'Nothing', Buffer.alloc(0))).toBe('12');
    expect(await call(opened, 'Append', Buffer.alloc(0))).toBe('3');
    const plain = opened.request({ ':method': 'GET', ':path': '/' });
    const status = await new Promise((resolve) =>
      plain.once('response', (headers) => {
        resolve(headers[':status']);
      }),
    );
    expect(status).toBe(415);
    opened.destroy();
  });

  it('before the protocol, and calls cut off in the middle, leave the server well', async () => {
    await new Promise<void>((resolve) => {
      const socket = connectTcp(server.port, '127.0.0.1', () => socket.end('GET / HTTP/1.1\r\n\r\n'));
      socket
        .on('close', () => {
          resolve();
        })
        .on('error', () => undefined)
        .resume();
    });
    const opened = await session();
    for (const method of METHODS) {
      const stream = opened.request({
        ':method': 'POST',
        ':path': `/event_store.client.streams.Streams/${method}`,
        'content-type': 'application/grpc',
        authorization,
      });
      stream.on('error', () => undefined);
      stream.write(Buffer.from([0, 0, 0, 1, 0, 7]));
      stream.close(constants.NGHTTP2_CANCEL);
    }
    opened.destroy();
    expect(await serves()).toBe(true);
  });
});
