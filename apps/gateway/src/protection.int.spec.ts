import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { exchange, isWhole, parseAnswer } from './test/raw.js';
import { jsonAnswer, startRig, until, type Json, type Rig } from './test/rig.js';

let rig: Rig;
let token: string;
beforeAll(async () => {
  rig = await startRig({ config: { allowedHosts: ['api.internal', '.docs.example'] } });
  token = rig.issue();
});
afterAll(() => rig.stop());

const team = '/v1/orgs/o/teams/t';
const teams = '/v1/orgs/o/teams';
const written = (text: string) => Buffer.from(text.replaceAll('@token', token), 'latin1');
const raw = async (text: string) => parseAnswer(await exchange(rig.address, written(text), { done: isWhole }));
const error = (body: unknown) => (body as Json).error;

/** A request behind the first one that must never be executed. */
const hidden = 'DELETE /v1/orgs/o/teams/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n';
const put =
  'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer @token\r\nContent-Type: application/json\r\n';

describe('a request with an ambiguous end', () => {
  it.each([
    ['has a length and chunks', `${put}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['has chunks and a length', `${put}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${hidden}`],
    ['has two lengths', `${put}Content-Length: 0\r\nContent-Length: 60\r\n\r\n${hidden}`],
    ['has two equal lengths', `${put}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${hidden}`],
    ['lists lengths', `${put}Content-Length: 0, 0\r\n\r\n${hidden}`],
    ['has a length with a sign', `${put}Content-Length: +0\r\n\r\n${hidden}`],
    ['has an empty length', `${put}Content-Length: \r\n\r\n${hidden}`],
    ['is chunked twice', `${put}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['is not chunked at last', `${put}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`],
    ['is chunked behind another coding', `${put}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['is chunked behind no coding', `${put}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n${hidden}`],
    [
      'is chunked behind another coding in a header of its own',
      `${put}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['is chunked behind an empty coding', `${put}Transfer-Encoding: , chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['is chunked with a parameter', `${put}Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n${hidden}`],
    ['is chunked in another spelling', `${put}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['is chunked behind a vertical tab', `${put}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${hidden}`],
    [
      'is chunked in HTTP/1.0',
      `PUT ${teams} HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['folds a header', `${put}X-A: b\r\n Content-Length: 60\r\n\r\n${hidden}`],
    ['folds its first header', `PUT ${teams} HTTP/1.1\r\n Host: localhost\r\n\r\n${hidden}`],
    ['ends lines with a bare line feed', `${put.replaceAll('\r\n', '\n')}\n${hidden}`],
    ['ends a header with a bare line feed', `${put}X-A: b\nX-B: c\r\n\r\n${hidden}`],
    ['ends a header with two carriage returns', `${put}X-A: b\r\r\n\r\n${hidden}`],
    ['ends a chunk size with a bare line feed', `${put}Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n${hidden}`],
    [
      'ends a chunk extension with a bare line feed',
      `${put}Transfer-Encoding: chunked\r\n\r\n1;\nx\r\na\r\n0\r\n\r\n${hidden}`,
    ],
    ['has a chunk size with a prefix', `${put}Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n${hidden}`],
    [
      'has a chunk size that overflows',
      `${put}Transfer-Encoding: chunked\r\n\r\n10000000000000001\r\na\r\n0\r\n\r\n${hidden}`,
    ],
    [
      'has a length among its trailers',
      `${put}Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 60\r\n\r\n${hidden}`,
    ],
    ['has blanks before a colon', `${put}Content-Length : 0\r\n\r\n${hidden}`],
    ['has two hosts', `GET ${team} HTTP/1.1\r\nHost: localhost\r\nHost: api.internal\r\n\r\n${hidden}`],
    ['has one host twice', `GET ${team} HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n${hidden}`],
    ['is HTTP/0.9', `GET ${team}\r\n\r\n${hidden}`],
  ])('%s: refused, and the connection closed', async (_, bytes) => {
    const before = rig.stub.calls.length;
    const text = await exchange(rig.address, written(bytes), { timeoutMs: 60_000 });
    const answer = parseAnswer(text);
    expect([answer.status, error(answer.body).reason]).toEqual([400, 'invalid_request']);
    expect(text.split('HTTP/1.1 ').length).toBe(2);
    expect(rig.stub.calls.length).toBe(before);
  });

  it('is refused when it has two tokens', async () => {
    const both = `GET ${team} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer @token\r\nAuthorization: Bearer @token\r\n\r\n`;
    expect((await raw(both)).status).toBe(401);
  });
});

describe('a request for the host', () => {
  const under = (host: string, path = '/v1/') =>
    raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  it.each([
    ['localhost'],
    ['LOCALHOST:8080'],
    ['app.localhost'],
    ['127.0.0.1:9'],
    ['[::1]:8080'],
    ['192.168.7.7'],
    ['docs.test'],
    ['docs.test:443'],
    ['docs.test.'],
    ['api.internal'],
    ['a.docs.example'],
  ])('%s is answered', async (host) => {
    expect((await under(host)).status).toBe(200);
  });

  it.each([
    ['evil.test'],
    ['docs.test.evil.test'],
    ['xdocs.test'],
    ['127.0.0.1.evil.test'],
    ['localhost.evil.test'],
    ['docs.example'],
    ['xdocs.example'],
    ['1.2.3.4.5'],
  ])('%s is misdirected for every path', async (host) => {
    for (const path of ['/v1/', team, '/openapi.json', '/reference', '/sign-in', '/nothing']) {
      const text = await exchange(rig.address, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect([path, text.slice(0, 13), text.includes('This host name is not allowed')]).toEqual([
        path,
        'HTTP/1.1 421 ',
        true,
      ]);
      expect(text).toMatch(/x-content-type-options: nosniff/i);
    }
  });

  it.each([
    [''],
    ['a b'],
    ['a,b'],
    ['user@localhost'],
    ['localhost:port'],
    ['localhost/'],
    ['[::1'],
    ['http://localhost'],
  ])('"%s" is refused as malformed', async (host) => {
    const { status, body } = await under(host);
    expect([status, error(body).reason]).toEqual([400, 'invalid_request']);
  });

  it('in the target is checked as well as the one in the header', async () => {
    expect((await raw('GET http://evil.test/v1/ HTTP/1.1\r\nHost: localhost\r\n\r\n')).status).toBe(421);
  });

  it('of a rebound DNS name reads nothing and changes nothing', async () => {
    const rebound = `Host: evil.test\r\nOrigin: http://evil.test\r\nSec-Fetch-Site: same-origin\r\nCookie: scriptorium_session=scr_ses_${'a'.repeat(20)}_${'b'.repeat(43)}\r\nContent-Length: 2\r\n`;
    const json = `POST /v1/user/tokens HTTP/1.1\r\n${rebound}Content-Type: application/json\r\n\r\n{}`;
    const form = `POST /v1/auth/account/by-password HTTP/1.1\r\n${rebound}Content-Type: application/x-www-form-urlencoded\r\n\r\na=`;
    for (const bytes of [json, form]) expect(await exchange(rig.address, bytes)).toMatch(/^HTTP\/1.1 421 /);
  });

  it('of a health check may be any', async () => {
    expect(
      await exchange(rig.address, 'GET /livez HTTP/1.1\r\nHost: 10-0-0-7.pod\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('limits', () => {
  it('of headers are enforced', async () => {
    for (const lines of [`X-A: ${'a'.repeat(20_000)}\r\n`, 'X-A: aaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1_000)]) {
      const { status, body } = await raw(`GET /v1/ HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`);
      expect([status, error(body).reason]).toEqual([431, 'headers_too_large']);
    }
  });

  it('of a body are enforced by Content-Length before it is read', async () => {
    const { status, headers, body } = await raw(`${put}Content-Length: 99999999999\r\n\r\n{`);
    expect([status, error(body).reason]).toEqual([413, 'too_large']);
    expect(headers).toMatch(/connection: close/i);
  });

  it('of a body are enforced for endless chunks', async () => {
    const { hostname, port } = new URL(rig.address);
    const socket = connect(Number(port), hostname);
    let answer = '';
    let closed = false;
    socket.on('data', (bytes) => (answer += bytes.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => (closed = true));
    socket.write(written(`${put}Transfer-Encoding: chunked\r\n\r\n`));
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, ' '), Buffer.from('\r\n')]);
    let sent = 0;
    const more = (): void => {
      while (!closed && sent < 256 && socket.write(chunk)) sent += 1;
    };
    socket.on('drain', more);
    more();
    await until(() => closed, 'the connection is closed');
    expect([Number(answer.slice(9, 12)), sent < 256]).toEqual([413, true]);
  });
});

describe('compressed bodies', () => {
  const send = (body: Buffer, coding: string) =>
    rig.call('PUT', teams, { token, body, headers: { 'content-encoding': coding } });
  const said = (value: unknown) => Buffer.from(JSON.stringify(value));
  const lastBody = () => (JSON.parse(Buffer.from(rig.stub.calls.at(-1)?.body ?? []).toString()) as Json)['body'];

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (plain: Buffer) => plain],
  ] as const)('in %s are decoded', async (coding, code) => {
    const reply = await send(code(said({ title: `by ${coding}` })), coding);
    expect([reply.status, lastBody()]).toEqual([201, { title: `by ${coding}` }]);
  });

  it.each([['zstd'], ['gzip, gzip'], ['identity, br'], ['constructor'], ['gzip;q=1']])(
    'in %s are refused',
    async (coding) => {
      const { status, json } = await send(said({ title: 'x' }), coding);
      expect([status, json.error]).toMatchObject([
        415,
        { reason: 'unsupported_media_type', details: [{ path: 'headers.content-encoding' }] },
      ]);
    },
  );

  it.each([
    ['in another coding than Content-Encoding says', brotliCompressSync(said({ title: 'x' })), 'gzip'],
    ['that are truncated', gzipSync(said({ title: 'x' })).subarray(0, 20), 'gzip'],
    ['that are truncated', brotliCompressSync(said({ title: 'x' })).subarray(0, 4), 'br'],
    [
      'whose checksum is wrong',
      Buffer.concat([gzipSync(said({ title: 'x' })).subarray(0, -8), Buffer.alloc(8)]),
      'gzip',
    ],
  ])('%s are refused as bad requests', async (_, body, coding) => {
    const { status, json } = await send(body, coding);
    const message = `Must be ${coding}, as Content-Encoding says`;
    expect([status, json.error]).toMatchObject([
      400,
      { message: `body: ${message}`, details: [{ path: 'body', message }] },
    ]);
  });

  const filled = (bytes: number) =>
    Buffer.concat([Buffer.from('{"title":"x","y":"'), Buffer.alloc(bytes, 'y'), Buffer.from('"}')]);
  const largest = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  };

  it.each([
    ['with a very high ratio', 'gzip', gzipSync(filled(1024 * 1024), { level: 9 })],
    ['with a very high ratio', 'br', brotliCompressSync(filled(1024 * 1024), largest)],
    ['of 128 MiB', 'br', brotliCompressSync(Buffer.alloc(128 * 1024 * 1024, ' '), largest)],
    ['compressed twice', 'gzip', gzipSync(gzipSync(filled(512 * 1024)))],
  ])('%s are not decoded to their end (%s)', async (what, coding, body) => {
    const before = process.memoryUsage().rss;
    const { status, json } = await send(body, coding);
    expect([status, json.error.reason]).toEqual(
      what === 'compressed twice' ? [400, 'invalid_request'] : [413, 'too_large'],
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('may have any ratio when they are small, and at most the size of plain bodies when they are large', async () => {
    expect((await send(gzipSync(filled(60_000)), 'gzip')).status).toBe(201);
    const random = Buffer.from(JSON.stringify({ title: 'x', y: Array.from({ length: 400_000 }, (_, n) => n * 7919) }));
    expect((await send(gzipSync(random), 'gzip')).status).toBe(201);
    const beyond = Buffer.from(
      JSON.stringify({ title: 'x', y: Array.from({ length: 1_500_000 }, (_, n) => n * 7919) }),
    );
    expect((await send(gzipSync(beyond), 'gzip')).status).toBe(413);
  });
});

describe('the software and its parts are not named', () => {
  it.each([
    ['GET', '/v1/'],
    ['GET', '/v1/nothing'],
    ['GET', team],
    ['POST', team],
    ['GET', '/sign-in'],
    ['GET', '/reference'],
    ['PUT', teams],
    ['GET', '/v1/%zz'],
    ['GET', '/livez'],
  ])('by %s %s', async (method, path) => {
    const { headers, text } = await rig.call(
      method,
      path,
      method === 'PUT' ? { token, body: '{broken' } : { token: null },
    );
    expect([...headers.keys()].filter((name) => /^(server|x-powered-by|via|x-aspnet.*|x-runtime)$/.test(name))).toEqual(
      [],
    );
    if (path !== '/reference') expect(text).not.toMatch(/fastify|node\.?js|FST_|\bnats\b|mongo|\n\s+at /i);
  });

  it('by answers to bytes that are not HTTP', async () => {
    for (const bytes of [
      'hello\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    ]) {
      expect(await exchange(rig.address, bytes)).not.toMatch(/^(server|x-powered-by):|fastify|llhttp|HPE_|node/im);
    }
  });

  it('by an unexpected error', async () => {
    rig.stub.on['getTeamInOrganizationById'] = () => jsonAnswer({}, { etag: 'bad\ntag' });
    expect((await rig.call('GET', team, { token })).text).not.toMatch(/ERR_|Invalid character/);
    delete rig.stub.on['getTeamInOrganizationById'];
  });
});
