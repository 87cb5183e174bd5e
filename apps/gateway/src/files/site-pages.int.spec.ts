import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { config, startRig, type Rig } from '../test/rig.js';

describe('the pages of sites in the gateway', () => {
  let rig: Rig;
  let reader: Server;
  const got: IncomingMessage[] = [];
  const bodies: string[] = [];
  afterEach(async () => {
    reader.close().closeAllConnections();
    got.length = bodies.length = 0;
    await rig.stop();
  });

  const start = async (isShown = true): Promise<string> => {
    reader = createServer((request, response) => {
      got.push(request);
      let body = '';
      request.on('data', (part) => (body += String(part))).on('end', () => bodies.push(body));
      const isCompressed = request.headers['accept-encoding'] === 'br';
      response
        .writeHead(303, {
          location: '/~site/s/',
          'set-cookie': 'a=b; Path=/~site/s/',
          'x-own': 'no',
          etag: '"e"',
          ...(isCompressed ? { 'content-encoding': 'br' } : {}),
        })
        .end(isCompressed ? brotliCompressSync('page') : 'page');
    });
    await new Promise<void>((resolve) => reader.listen(0, '127.0.0.1', resolve));
    const readerUrl = `http://127.0.0.1:${(reader.address() as AddressInfo).port}`;
    rig = await startRig({ config: { files: { ...config.files, ...(isShown ? { readerUrl } : {}) } } });
    return rig.gateway.filesAddress;
  };

  it('are forwarded to the reader, with the headers that it needs and that a browser may have', async () => {
    const origin = await start();
    const headers = { cookie: 'c=d', authorization: 'Bearer x', 'x-forwarded-for': '9.9.9.9', accept: 'text/html' };
    const answer = await fetch(`${origin}/~site/s/a%20b?q=1`, { headers, redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([303, 'page']);
    const names = ['location', 'set-cookie', 'etag', 'x-own'];
    expect(names.map((name) => answer.headers.get(name))).toEqual(['/~site/s/', 'a=b; Path=/~site/s/', '"e"', null]);
    expect(got[0]?.url).toBe('/~site/s/a%20b?q=1');
    expect(got[0]?.headers).toMatchObject({ cookie: 'c=d', accept: 'text/html', 'x-forwarded-for': '127.0.0.1' });
    expect(got[0]?.headers).not.toHaveProperty('authorization');
    const head = await fetch(`${origin}/~site/s/`, { method: 'HEAD', redirect: 'manual' });
    expect([head.status, got[1]?.method]).toEqual([303, 'HEAD']);
  });

  it('keep the encoding that the reader has chosen for what the browser reads', async () => {
    const origin = await start();
    const answer = await fetch(`${origin}/~site/s/a`, { headers: { 'accept-encoding': 'br' }, redirect: 'manual' });
    expect(got[0]?.headers).toMatchObject({ 'accept-encoding': 'br' });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual(['br', 'page']);
  });

  it('are all that is there under the names of sites, which the reader is told', async () => {
    const origin = await start();
    const { port } = new URL(origin);
    const ask = (host: string, path: string, method = 'GET') =>
      new Promise<number>((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        asked.once('error', reject).end();
      });
    expect(await ask('docs.example.com', '/guide/a%20b?q=1')).toBe(303);
    expect(await ask('docs.localhost', '/files/alias/hash/name')).toBe(303);
    expect(got.map(({ url, headers }) => [headers.host, url])).toEqual([
      ['docs.example.com', '/guide/a%20b?q=1'],
      ['docs.localhost', '/files/alias/hash/name'],
    ]);
    expect(await ask('docs.example.com', '/', 'PUT')).toBe(421);
    expect(await ask('docs.example.com', '/~site/other/')).toBe(421);
    expect(await ask('localhost', '/guide')).toBe(404);
    expect(await ask('docs.example.com, other', '/')).not.toBe(303);
    expect(got.length).toBe(2);
  });

  it('accept short forms', async () => {
    const origin = await start();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin, cookie: 'c=d' };
    const post = (body: string) =>
      fetch(`${origin}/~site/s/a`, { method: 'POST', headers, body, redirect: 'manual' }).then(({ status }) => status);
    expect(await post('rating=good')).toBe(303);
    expect(got[0]?.headers).toMatchObject({ ...headers, 'content-length': '11' });
    expect(await post('x'.repeat(2_000))).toBe(413);
    expect(bodies).toEqual(['rating=good']);
  });

  it('accept only GET, HEAD and POST, on the second origin, and only where there is a reader', async () => {
    const origin = await start();
    expect((await fetch(`${origin}/~site/s/`, { method: 'PUT' })).status).toBe(404);
    expect((await fetch(`${rig.address}/~site/s/`)).status).toBe(404);
    expect(got.length).toBe(0);
    reader.close().closeAllConnections();
    expect((await fetch(`${origin}/~site/s/`)).status).toBe(503);
    await rig.stop();
    expect((await fetch(`${await start(false)}/~site/s/`)).status).toBe(404);
  });
});
