import { createGzip, gzipSync } from 'node:zlib';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { createOutboundWorld, type OutboundWorld, somePublic } from '../test/outbound.js';
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
const gateway = (message: string) => ({ reason: 'bad_gateway', message: expect.stringContaining(message) });
const text: RequestListener = (_, response) => void response.end('end');
const notAllowed = gateway('redirects to an address that is not allowed');

describe('a server that redirects', () => {
  const from = async (location: string, status = 302, more: Partial<OutboundRequest> = {}) => {
    const url = await world.serve((_, response) => void response.writeHead(status, { location }).end());
    return world.open().fetch(get(url, more));
  };

  it('cannot lead to an address that is not public', async () => {
    const inside = await world.serve(text, '127.0.0.1');
    for (const location of [
      inside,
      inside.replace('127.0.0.1', '0x7f.1'),
      inside.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'http://user:secret@public.example/',
      'http://[',
    ])
      await expect(from(location)).rejects.toMatchObject(notAllowed);
    world.names.set('inside.example', [['127.0.0.1']]);
    await expect(from(inside.replace('127.0.0.1', 'inside.example'))).rejects.toMatchObject(notAllowed);
    expect(new Set(world.connected)).toEqual(new Set([somePublic]));
  });

  it('cannot change the address of its own name between two requests', async () => {
    world.names.set('public.example', [[somePublic], ['127.0.0.1']]);
    await expect(from('/again')).rejects.toMatchObject(notAllowed);
    expect(world.connected).toEqual([somePublic]);
  });

  it('is followed 5 times at most', async () => {
    const listener: RequestListener = ({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end('end');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    const url = await world.serve(listener);
    const outbound = world.open();
    await expect(outbound.fetch(get(`${url}/5`))).resolves.toMatchObject({ status: 200, url: `${url}/0` });
    await expect(outbound.fetch(get(`${url}/6`))).rejects.toMatchObject(gateway('more than 5 times'));
    await expect(outbound.fetch(get(`${url}/6`, { redirects: 50 }))).rejects.toMatchObject(
      gateway('more than 5 times'),
    );
    await expect(outbound.fetch(get(`${url}/2`, { redirects: 1 }))).rejects.toMatchObject(gateway('more than 1 times'));
    await expect(outbound.fetch(get(`${url}/1`, { redirects: 0 }))).resolves.toMatchObject({ status: 302 });
  });

  it('to another host does not receive the headers and the body there', async () => {
    const seen: { method: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
    const other = await world.serve((request, response) => {
      const { method, headers } = request;
      let body = '';
      request.on('data', (chunk) => void (body += String(chunk)));
      request.on('end', () => {
        seen.push({ method, headers, body });
        response.end();
      });
    }, 'other.example');
    const sent = {
      method: 'POST',
      body: 'hello',
      headers: { 'content-type': 'text/plain', 'x-signature': 's' },
    } as const;
    await from(other, 302, sent);
    await from(other, 307, sent);
    expect(seen).toMatchObject([
      { method: 'GET', body: '' },
      { method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' } },
    ]);
    for (const { headers } of seen) expect(headers).not.toHaveProperty('x-signature');
  });
});

describe('a server that wastes time', () => {
  const within = { withinMs: 300 };

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    [
      'answers a byte at a time',
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('and %s is abandoned at the deadline', async (_what, listener) => {
    const url = await world.serve(listener);
    await expect(world.open().fetch(get(url, within))).rejects.toMatchObject(gateway('longer than 300 ms'));
  });

  it('and sends its headers byte by byte is abandoned at the deadline, and its connection is closed', async () => {
    let isClosed = false;
    const url = await world.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      const timer = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => {
        clearInterval(timer);
        isClosed = true;
      });
    });
    await expect(world.open().fetch(get(url, within))).rejects.toMatchObject(gateway('longer than 300 ms'));
    await eventually(() => isClosed);
  });

  it('through its name servers is abandoned at the deadline', async () => {
    const outbound = world.open({}, { resolve: () => new Promise(() => undefined) });
    await expect(outbound.fetch(get('http://public.example', within))).rejects.toMatchObject(
      gateway('longer than 300 ms'),
    );
  });

  it('and redirects without end is abandoned at the one deadline of all requests', async () => {
    const url = await world.serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 100);
    });
    await expect(world.open().fetch(get(url, { withinMs: 250 }))).rejects.toMatchObject(gateway('longer than 250 ms'));
  });

  it('is abandoned when the caller gives up, and does not delay other requests', async () => {
    const url = await world.serve(() => undefined);
    const outbound = world.open({ atOnce: 1 });
    const stop = new AbortController();
    const hanging = outbound.fetch(get(url, { signal: stop.signal, withinMs: 60_000 }));
    await expect(outbound.fetch(get(url))).rejects.toMatchObject({ reason: 'unavailable' });
    stop.abort();
    await expect(hanging).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(outbound.fetch(get(url, within))).rejects.toMatchObject(gateway('longer'));
  });
});

describe('a server that sends too much', () => {
  const larger = gateway('larger than 65536 bytes');

  it('is abandoned whether or not it announces the length', async () => {
    let isClosed = false;
    const told = await world.serve(
      (_, response) => void response.writeHead(200, { 'content-length': 65_537 }).write('x'),
    );
    const endless = await world.serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more).on('close', () => (isClosed = true));
      more();
    });
    await expect(world.open().fetch(get(told))).rejects.toMatchObject(larger);
    await expect(world.open().fetch(get(endless))).rejects.toMatchObject(larger);
    await eventually(() => isClosed);
  });

  it('is abandoned when a short body decompresses to a long one', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(64 * 1024);
    const url = await world.serve(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect(world.open().fetch(get(url))).rejects.toMatchObject(larger);
  });

  it('is abandoned when a long body decompresses to nothing', async () => {
    const empty = gzipSync('');
    const url = await world.serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.concat(Array.from({ length: 100 }, () => empty))));
      };
      response.on('drain', more);
      more();
    });
    await expect(world.open().fetch(get(url))).rejects.toMatchObject(larger);
  });

  it('is abandoned when its headers are too large', async () => {
    const url = await world.serve((_, response) => void response.writeHead(200, { x: 'y'.repeat(17_000) }).end());
    await expect(world.open().fetch(get(url))).rejects.toMatchObject(gateway('HPE_HEADER_OVERFLOW'));
  });
});

describe('a server with a broken answer', () => {
  it.each([
    ['is cut off', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['is nothing', ''],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['has an encoding that nobody asked for', 'HTTP/1.1 200 OK\r\ncontent-encoding: compress\r\n\r\nab'],
    ['is encoded twice', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\n\r\nab'],
    ['is not what its encoding says', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nab'],
  ])('that %s results in bad_gateway', async (_what, answer) => {
    const url = await world.serveRaw((socket) => void socket.end(answer));
    await expect(world.open().fetch(get(url))).rejects.toMatchObject({ reason: 'bad_gateway' });
  });

  it('that ends before its encoding does results in bad_gateway', async () => {
    const whole = gzipSync('hello, hello, hello');
    const url = await world.serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(whole.subarray(0, whole.length - 6));
    });
    await expect(world.open().fetch(get(url))).rejects.toMatchObject({ reason: 'bad_gateway' });
  });

  it('can stream a compressed answer in pieces', async () => {
    const url = await world.serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write('hel');
      gzip.flush(() => gzip.end('lo'));
    });
    expect((await world.open().fetch(get(url))).body.toString()).toBe('hello');
  });

  it('cannot be sent headers that the client itself sets', async () => {
    for (const name of ['host', 'cookie', 'transfer-encoding', 'user-agent', 'proxy-authorization', 'X-Upper'])
      await expect(world.open().fetch(get('http://public.example', { headers: { [name]: 'x' } }))).rejects.toThrow(
        `The header ${name} cannot be given`,
      );
  });
});
