import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fileServers } from '@scriptorium/contracts';
import type { GatewayConfig } from '../config.js';
import { config, startRig, until, type Rig } from '../test/rig.js';

const path = '/files/a/b/c.txt?type=text%2Fplain&expires=1&signature=x';

/** A replica that serves files, as the gateway sees it. */
interface Replica {
  server: Server;
  url: string;
  /** The requests that it got, with the bytes of uploads. */
  got: { method: string; url: string; headers: IncomingMessage['headers']; body: number }[];
}

describe('the host of files in the gateway', () => {
  let rig: Rig;
  const replicas: Replica[] = [];
  const timers: NodeJS.Timeout[] = [];
  afterEach(async () => {
    for (const timer of timers.splice(0)) clearInterval(timer);
    for (const { server } of replicas.splice(0)) server.close().closeAllConnections();
    await rig.stop();
  });

  type Answer = (request: IncomingMessage, response: ServerResponse) => void;
  const plain: Answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain', etag: '"t"', 'set-cookie': 'a=b' }).end('hello');
  const replica = async (answer: Answer = plain): Promise<Replica> => {
    const got: Replica['got'] = [];
    const take = (asked: IncomingMessage, response: ServerResponse, proceed: () => void) => {
      const { method = '', url = '', headers } = asked;
      const one = { method, url, headers, body: 0 };
      got.push(one);
      asked.on('data', ({ length }: Buffer) => (one.body += length)).on('error', () => undefined);
      if (!url.includes('refused')) proceed();
      if (method === 'PUT' && !url.includes('refused')) asked.once('end', () => answer(asked, response));
      else answer(asked, response);
    };
    const server = createServer((asked, response) => take(asked, response, () => undefined));
    server.on('checkContinue', (asked, response) => take(asked, response, () => response.writeContinue()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const made = { server, got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    replicas.push(made);
    return made;
  };
  const announce = (id: string, url: string, isStopping = false) =>
    rig.messaging.publish(fileServers, Buffer.from(JSON.stringify({ id, url, isStopping })));
  const start = async (more: Partial<GatewayConfig['files']> = {}, others: Partial<GatewayConfig> = {}) => {
    rig = await startRig({ config: { ...others, files: { ...config.files, ...more } } });
  };
  const announced = (id: string, url: string) => {
    announce(id, url);
    timers.push(setInterval(() => announce(id, url), 200));
  };
  const at = (to = path) => `${rig.gateway.filesAddress}${to}`;
  const reasonOf = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: { reason: string; requestId: string } };
    return [answer.status, error.reason];
  };

  it('forwards the headers that a replica needs, and returns the headers that a client may have', async () => {
    await start();
    const { url, got } = await replica();
    announced('one', url);
    const answer = await fetch(at(), {
      headers: { range: 'bytes=0-1', cookie: 'a=b', authorization: 'Bearer x', 'x-request-id': 'r1' },
    });
    expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([200, 'hello', '"t"']);
    expect([answer.headers.get('set-cookie'), answer.headers.get('x-request-id')]).toEqual([null, 'r1']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(got[0]).toMatchObject({ method: 'GET', url: path, headers: { range: 'bytes=0-1', 'x-request-id': 'r1' } });
    expect(got[0]?.headers).not.toHaveProperty('cookie');
    expect(got[0]?.headers).not.toHaveProperty('authorization');
    const sent = await fetch(at('/uploads/u?expires=1'), { method: 'PUT', body: new Uint8Array(500_000) });
    expect(sent.status).toBe(200);
    expect(got[1]).toMatchObject({ method: 'PUT', body: 500_000, headers: { 'content-length': '500000' } });
  });

  it('lets pages of all origins read public specifications, and nothing else', async () => {
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    };
    for (const corsOrigins of [[], ['https://app.test']]) {
      await start({}, { corsOrigins });
      const preflight = (to: string) => fetch(at(to), { method: 'OPTIONS', headers });
      const answer = await preflight('/openapi/o/shop.yaml');
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
      expect(answer.headers.get('access-control-allow-headers')).toContain('if-none-match');
      for (const other of [path, '/openapi/o/more/shop.yaml'])
        expect((await preflight(other)).headers.get('access-control-allow-origin')).not.toBe('*');
      if (corsOrigins.length === 0) await rig.stop();
    }
  });

  it('refuses other paths, methods and hosts', async () => {
    await start();
    const { url, got } = await replica();
    announced('one', url);
    expect(await reasonOf(await fetch(at('/v1/user')))).toEqual([404, 'not_found']);
    expect(await reasonOf(await fetch(at(), { method: 'DELETE' }))).toEqual([404, 'not_found']);
    expect((await fetch(`${rig.address}${path}`)).status).toBe(404);
    expect(await rawStatus(rig.gateway.filesAddress, `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n\r\n`)).toBe(421);
    expect(await rawStatus(rig.gateway.filesAddress, `GET ${path} HTTP/1.1\r\nHost: files.test\r\n\r\n`)).toBe(200);
    const large = `PUT /uploads/u HTTP/1.1\r\nHost: files.test\r\nContent-Length: ${100 * 1024 * 1024 + 1}\r\n\r\n`;
    expect(await rawStatus(rig.gateway.filesAddress, large)).toBe(413);
    expect(got.length).toBe(1);
  });

  it('limits requests of one address by the minute, and transfers by their number at a time', async () => {
    await start({ mostTransfers: 1 }, { rates: { ...config.rates, files: 3 } });
    const { url, got } = await replica(() => undefined);
    announced('one', url);
    const hanging = fetch(at()).catch(() => undefined);
    await until(() => got.length === 1, 'the first request');
    expect(await reasonOf(await fetch(at()))).toEqual([503, 'unavailable']);
    expect(await reasonOf(await fetch(at()))).toEqual([503, 'unavailable']);
    const fourth = await fetch(at());
    expect([fourth.headers.get('x-ratelimit-limit'), ...(await reasonOf(fourth))]).toEqual(['3', 429, 'rate_limited']);
    replicas[0]?.server.closeAllConnections();
    await hanging;
  });

  it('asks another replica when one is gone, and no replica that stops', async () => {
    await start();
    expect(await reasonOf(await fetch(at()))).toEqual([503, 'unavailable']);
    const [gone, living] = [await replica(), await replica()];
    gone.server.close();
    announced('gone', gone.url);
    announced('living', living.url);
    for (let i = 0; i < 4; i += 1)
      expect((await fetch(at('/uploads/u'), { method: 'PUT', body: 'abc' })).status).toBe(200);
    expect(living.got.map(({ body }) => body)).toEqual([3, 3, 3, 3]);
    for (const timer of timers.splice(0)) clearInterval(timer);
    announce('living', living.url, true);
    announce('gone', gone.url, true);
    await until(async () => (await fetch(at())).status === 503, 'no replica');
  });

  it('returns the refusal of an upload by a replica before its bytes were sent', async () => {
    await start();
    const { url, got } = await replica((_asked, response) => {
      const refusal = {
        reason: 'forbidden',
        message: 'Not signed',
        details: [{ path: 'query.signature', message: 'Not signed' }],
      };
      response.writeHead(403, { connection: 'close' }).end(JSON.stringify(refusal));
    });
    announced('one', url);
    const answer = await fetch(at('/uploads/refused'), { method: 'PUT', body: new Uint8Array(5_000_000) });
    expect(await reasonOf(answer)).toEqual([403, 'forbidden']);
    expect(got[0]?.body).toBe(0);
  });

  it('ends a transfer that makes no progress', async () => {
    await start({ idleTimeoutMs: 300, timeoutMs: 2_000 });
    const { url } = await replica((asked, response) => {
      if (asked.url?.includes('silent') !== true) response.writeHead(200, { 'content-length': '100' }).write('x');
    });
    announced('one', url);
    expect(await reasonOf(await fetch(at('/files/a/b/silent')))).toEqual([503, 'unavailable']);
    await expect(fetch(at()).then((answer) => answer.text())).rejects.toThrow();
  });

  it('reads a file no faster than the client does', async () => {
    await start();
    const sentBy = { bytes: 0 };
    const { url } = await replica((_asked, response) => {
      response.writeHead(200);
      const more = () => {
        for (let room = true; room && sentBy.bytes < 200_000_000; sentBy.bytes += 100_000)
          room = response.write(Buffer.alloc(100_000));
      };
      response.on('drain', more);
      more();
    });
    announced('one', url);
    const { hostname, port } = new URL(rig.gateway.filesAddress);
    await new Promise<void>((resolve) => {
      const reading = request({ hostname, port, path }, (response) => {
        response.pause();
        setTimeout(() => {
          expect(sentBy.bytes).toBeLessThan(60_000_000);
          reading.destroy();
          resolve();
        }, 500);
      });
      reading.on('error', () => undefined).end();
    });
  });
});

/** The status of the answer to what is sent as it is. */
async function rawStatus(address: string, head: string): Promise<number> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const answer = await new Promise<string>((resolve, reject) => {
    socket.once('data', (data: Buffer) => resolve(data.toString('latin1')));
    socket.once('error', reject);
  });
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}
