import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { until } from '../test/rig.js';
import { lingerOnClose, type LingerLimits } from './body.js';

const mebibyte = 1024 * 1024;

describe('a body beyond its limit', () => {
  let host: FastifyInstance;
  let socket: Socket;
  afterEach(async () => {
    socket.destroy();
    await host.close();
  });

  /** Sends the start of a request and does not read. */
  async function begin(
    limits: LingerLimits,
    headers: string,
  ): Promise<{ answer: () => string; isClosed: () => boolean }> {
    host = fastify({ bodyLimit: 1_000, forceCloseConnections: true });
    lingerOnClose(host, limits);
    host.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
    host.post('/', () => 'read');
    const { port } = new URL(await host.listen({ port: 0, host: '127.0.0.1' }));
    socket = connect(Number(port), '127.0.0.1');
    const state = { answer: '', closed: false };
    socket.on('error', () => undefined);
    socket.on('close', () => (state.closed = true));
    socket.on('data', (bytes) => (state.answer += bytes.toString()));
    socket.pause();
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n${headers}\r\n\r\n`);
    return { answer: () => state.answer, isClosed: () => state.closed };
  }

  const write = (bytes: Buffer) =>
    new Promise<boolean>((resolve) => void socket.write(bytes, (error) => resolve(error == null)));

  it('is answered for a client that reads only after it has sent everything', async () => {
    const size = 20 * mebibyte;
    const { answer, isClosed } = await begin(
      { bytes: 2 * size, ms: 30_000, idleMs: 30_000 },
      `Content-Length: ${size}`,
    );
    for (let sent = 0; sent < size; sent += mebibyte) expect(await write(Buffer.alloc(mebibyte))).toBe(true);
    socket.resume();
    await until(isClosed, 'the connection is closed');
    expect(answer()).toMatch(/^HTTP\/1\.1 413 [^]*connection: close[^]*FST_ERR_CTP_BODY_TOO_LARGE/i);
  });

  it('in chunks is answered, too', async () => {
    const { answer, isClosed } = await begin(
      { bytes: 40 * mebibyte, ms: 30_000, idleMs: 30_000 },
      'Transfer-Encoding: chunked',
    );
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte), Buffer.from('\r\n')]);
    for (let n = 0; n < 20; n += 1) expect(await write(chunk)).toBe(true);
    expect(await write(Buffer.from('0\r\n\r\n'))).toBe(true);
    socket.resume();
    await until(isClosed, 'the connection is closed');
    expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is answered at once, before the rest is sent', async () => {
    const { answer, isClosed } = await begin({ bytes: mebibyte, ms: 30_000, idleMs: 30_000 }, 'Content-Length: 5000');
    socket.resume();
    await until(() => answer().includes('FST_ERR_CTP_BODY_TOO_LARGE'), 'the answer has come');
    expect(isClosed()).toBe(false);
    await write(Buffer.alloc(5000));
    await until(isClosed, 'the connection is closed');
  });

  it('is read up to a number of bytes', async () => {
    const { isClosed } = await begin(
      { bytes: mebibyte, ms: 30_000, idleMs: 30_000 },
      `Content-Length: ${1_000 * mebibyte}`,
    );
    socket.resume();
    let sent = 0;
    while (sent < 1_000 && !isClosed() && (await write(Buffer.alloc(mebibyte)))) sent += 1;
    await until(isClosed, 'the connection is closed');
    expect(sent).toBeLessThan(100);
  });

  it.each([
    ['is read up to a time', { bytes: mebibyte, ms: 100, idleMs: 30_000 }],
    ['is not waited for when nothing arrives', { bytes: mebibyte, ms: 30_000, idleMs: 100 }],
  ])('%s', async (_, limits) => {
    const { answer, isClosed } = await begin(limits, 'Content-Length: 5000');
    socket.resume();
    await until(isClosed, 'the connection is closed');
    expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  });
});
