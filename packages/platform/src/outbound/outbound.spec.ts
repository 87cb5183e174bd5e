import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { selfSigned } from '../test/certificate.js';
import { createOutboundWorld, type OutboundWorld, somePublic } from '../test/outbound.js';
import { parseNetworks } from './addresses.js';
import { createOutbound } from './outbound.js';
import type { OutboundRequest } from './outbound-request.js';

let world: OutboundWorld;
beforeEach(() => void (world = createOutboundWorld()));
afterEach(() => world.close());

const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  field: 'body.url',
  maxBytes: 64 * 1024,
  ...more,
});
const text =
  (body: string): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
const refused = {
  reason: 'invalid_request',
  details: [{ path: 'body.url', message: 'Must lead to a public address' }],
};
const gateway = (message: string) => ({ reason: 'bad_gateway', message: expect.stringContaining(message) });

describe('a request to a public server', () => {
  it('returns the beginning of an answer that is too large, where that is wished', async () => {
    const bytes = 'a'.repeat(5_000_000);
    const plain = await world.serve(text(bytes));
    const packed = await world.serve(
      (_, response) => void response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync(bytes)),
    );
    for (const url of [plain, packed]) {
      const { body } = await world.open().fetch(get(url, { cuts: true, maxBytes: 1024 }));
      expect(body.toString()).toBe('a'.repeat(1024));
    }
    const short = await world.serve(text('short'));
    expect((await world.open().fetch(get(short, { cuts: true }))).body.toString()).toBe('short');
  });

  it('returns its answer, without cookies', async () => {
    const url = await world.serve((request, response) => {
      response.setHeader('set-cookie', 'a=b');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...request.headers, url: request.url }));
    });
    const response = await world.open().fetch(get(`${url}/a?b=c#d`, { headers: { 'x-own': '1' } }));
    expect(response).toMatchObject({ status: 200, url: `${url}/a?b=c`, contentType: 'application/json' });
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(JSON.parse(response.body.toString())).toEqual({
      accept: '*/*',
      'accept-encoding': 'gzip, br',
      connection: 'close',
      host: url.slice('http://'.length),
      'user-agent': 'Scriptorium',
      'x-own': '1',
      url: '/a?b=c',
    });
    expect([world.resolved, world.connected]).toEqual([['public.example'], [somePublic]]);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('decodes an answer in %s', async (encoding, encode) => {
    const url = await world.serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(encode('hello'));
    });
    const { body } = await world.open().fetch(get(url));
    expect(body.toString()).toBe('hello');
    const head = await world.open().fetch(get(url, { method: 'HEAD' }));
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it('returns a status that is not a success', async () => {
    const url = await world.serve((_, response) => void response.writeHead(404).end('gone'));
    await expect(world.open().fetch(get(url, { accept: ['text/html'] }))).resolves.toMatchObject({ status: 404 });
  });

  it('checks the certificate for the name in the URL', async () => {
    const certificate = selfSigned('public.example');
    const authorities = [certificate.cert];
    const url = await world.serveTls(text('secret'), certificate, 'public.example');
    const trusting = world.open({}, { authorities });
    expect((await trusting.fetch(get(url))).body.toString()).toBe('secret');
    await expect(trusting.fetch(get(url.replace('public', 'other')))).rejects.toMatchObject(
      gateway('ERR_TLS_CERT_ALTNAME_INVALID'),
    );
    await expect(world.open().fetch(get(url))).rejects.toMatchObject(gateway('DEPTH_ZERO_SELF_SIGNED_CERT'));
  });

  it('accepts only the content types that the caller names', async () => {
    const url = await world.serve(text('x'));
    const outbound = world.open();
    for (const accept of [['text/plain'], ['image/*', 'text/*']])
      await expect(outbound.fetch(get(url, { accept }))).resolves.toMatchObject({ contentType: 'text/plain' });
    await expect(outbound.fetch(get(url, { accept: ['text/html', 'image/*'] }))).rejects.toMatchObject(
      gateway('none of text/html, image/*'),
    );
  });

  it('tries the next address of a name when one does not answer', async () => {
    const url = await world.serve(text('x'));
    const closed = '1.1.1.1';
    world.names.set('public.example', [[closed, somePublic]]);
    const outbound = world.open(
      {},
      { connect: (address, port) => connect(address === closed ? 1 : port, '127.0.0.1') },
    );
    await expect(outbound.fetch(get(url))).resolves.toMatchObject({ status: 200 });
  });
});

describe('an address that a user gives', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://①②⑦.⓪.⓪.①/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'https://192.168.0.1:8443/',
    'http://localhost/',
    'http://a.localhost./',
  ])('is refused when it is %s', async (url) => {
    const outbound = world.open();
    await expect(outbound.fetch(get(url))).rejects.toMatchObject(refused);
    expect(() => outbound.check(url, 'body.url')).toThrow('body.url: Must lead to a public address');
    expect([world.resolved, world.connected]).toEqual([[], []]);
  });

  it.each([
    ['ftp://public.example/', 'Must begin with http:// or https://'],
    ['file:///etc/passwd', 'Must begin with http:// or https://'],
    ['javascript:alert(1)', 'Must begin with http:// or https://'],
    ['//public.example/', 'Must be an absolute URL'],
    ['http://', 'Must be an absolute URL'],
    ['http://[fe80::1%25eth0]/', 'Must be an absolute URL'],
    ['http://user@public.example/', 'Must not contain a user name or a password'],
    ['http://:secret@public.example/', 'Must not contain a user name or a password'],
    [`http://public.example/${'a'.repeat(2048)}`, 'Must have at most 2048 characters'],
  ])('is refused when it is %s', async (url, message) => {
    await expect(world.open().fetch(get(url))).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'body.url', message }],
    });
    expect(world.resolved).toEqual([]);
  });

  it('is refused when its name has any address that is not public', async () => {
    const url = await world.serve(text('inside'), 'inside.example');
    for (const answer of [['127.0.0.1'], [somePublic, '127.0.0.1'], ['::ffff:127.0.0.1'], ['not an address']]) {
      world.names.set('inside.example', [answer]);
      await expect(world.open().fetch(get(url))).rejects.toMatchObject(refused);
    }
    expect(world.connected).toEqual([]);
  });

  it('is accepted when the installation allows its network', async () => {
    const url = await world.serve(text('inside'), 'localhost');
    const half = createOutbound({ allowed: parseNetworks('127.0.0.0/8') });
    await expect(half.fetch(get(url))).rejects.toMatchObject(refused);
    const outbound = createOutbound({ allowed: parseNetworks('127.0.0.0/8,::1') });
    expect((await outbound.fetch(get(url))).body.toString()).toBe('inside');
    outbound.check(url, 'body.url');
  });

  it('is not resolved a second time for the connection', async () => {
    const url = await world.serve(text('x'));
    world.names.set('public.example', [[somePublic], ['127.0.0.1']]);
    const outbound = world.open();
    await expect(outbound.fetch(get(url))).resolves.toMatchObject({ status: 200 });
    expect([world.resolved, world.connected]).toEqual([['public.example'], [somePublic]]);
    await expect(outbound.fetch(get(url))).rejects.toMatchObject(refused);
    expect(world.connected).toEqual([somePublic]);
  });

  it('results in bad_gateway when its name is not found', async () => {
    world.names.set('public.example', [[]]);
    await expect(world.open().fetch(get('http://public.example'))).rejects.toMatchObject(gateway('was not found'));
  });
});

describe('a download', () => {
  const sizes = async (body: AsyncIterable<Uint8Array>) => {
    const found: number[] = [];
    for await (const { length } of body) found.push(length);
    return found;
  };
  const total = (found: readonly number[]) => found.reduce((sum, one) => sum + one, 0);

  it('is read as it arrives', async () => {
    const url = await world.serve((_, response) => void response.end(gzipSync(Buffer.alloc(1_000_000, 'ab'))));
    const plain = await world.serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000, 'ab')));
    });
    expect(total(await world.open().download(get(url, { maxBytes: 1_000_000 }), sizes))).toBeLessThan(10_000);
    const found = await world.open().download(get(plain, { maxBytes: 1_000_000 }), sizes);
    expect([total(found), found.length > 1]).toEqual([1_000_000, true]);
  });

  it('tells what the other side did wrong, whatever the reader makes of it', async () => {
    const missing = await world.serve((_, response) => void response.writeHead(404).end('no'));
    const large = await world.serve((_, response) => void response.write(Buffer.alloc(70_000)));
    const cut = await world.serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      setTimeout(() => response.destroy(), 20);
    });
    const wrapping = (body: AsyncIterable<Uint8Array>) =>
      sizes(body).catch((error: unknown) => Promise.reject(new Error('wrapped', { cause: error })));
    const outbound = world.open();
    await expect(outbound.download(get(missing), wrapping)).rejects.toMatchObject(gateway('answered 404'));
    await expect(outbound.download(get(large), wrapping)).rejects.toMatchObject(gateway('larger than 65536'));
    await expect(outbound.download(get(cut), wrapping)).rejects.toMatchObject(gateway('cannot be reached'));
    await expect(outbound.download(get('http://127.0.0.1/'), wrapping)).rejects.toMatchObject(refused);
  });

  it('ends with the error of its reader', async () => {
    const url = await world.serve(text('abc'));
    const failing = () => Promise.reject(new Error('no room'));
    await expect(world.open().download(get(url), failing)).rejects.toThrow(/^no room$/);
  });
});
