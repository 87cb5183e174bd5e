import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange, isWhole, parseAnswer } from './test/raw.js';
import { startRig, type CallOptions, type Json, type Rig } from './test/rig.js';

let rig: Rig;
let token: string;
beforeAll(async () => {
  rig = await startRig();
  token = rig.issue();
});
afterAll(() => rig.stop());

const team = '/v1/orgs/o/teams/t';
const teams = '/v1/orgs/o/teams';
const deep = (n: number): string => `${'['.repeat(n)}${']'.repeat(n)}`;
const json = { 'content-type': 'application/json' };
const lone = '{"title":"a\\ud800b"}';

/** [what, status, method, path, call] */
const table: [string, number, string, string, CallOptions?][] = [
  ['unknown path', 404, 'GET', '/v1/teams'],
  ['path outside /v1', 404, 'GET', '/admin'],
  ['wrong method on the root', 405, 'POST', '/'],
  ['empty id', 404, 'GET', '/v1/orgs/'],
  ['path in other case', 404, 'GET', '/V1/orgs'],
  ['dots in the path', 404, 'GET', '/v1/%2e%2e%2fadmin'],
  ['wrong method', 405, 'POST', team],
  ['wrong method on a document', 405, 'DELETE', '/livez'],
  ['TRACE-like method', 405, 'PROPFIND', team],
  ['OPTIONS without CORS', 405, 'OPTIONS', team],
  ['PATCH of a list', 405, 'PATCH', teams],
  ['no token', 401, 'GET', team, { token: null }],
  ['empty bearer', 401, 'GET', team, { headers: { authorization: 'Bearer ' } }],
  ['basic authentication', 401, 'GET', team, { headers: { authorization: 'Basic dTpw' } }],
  ['nonsense token', 401, 'GET', team, { token: 'nonsense' }],
  ['token with a wrong checksum', 401, 'GET', team, { token: `scr_pat_abcdefgh_${'x'.repeat(46)}` }],
  ['very long token', 401, 'GET', team, { token: 'x'.repeat(8_000) }],
  ['two tokens', 401, 'GET', team, { headers: { authorization: 'Bearer a, Bearer b' } }],
  ['bad id', 400, 'GET', '/v1/orgs/a%20b'],
  ['id with a dot', 400, 'GET', '/v1/orgs/a.b'],
  ['id with a NUL', 400, 'GET', '/v1/orgs/a%00b'],
  ['id with a line break', 400, 'GET', '/v1/orgs/a%0d%0ab'],
  ['id with an encoded slash', 400, 'GET', '/v1/orgs/a%2fb'],
  ['id of 129', 400, 'GET', `/v1/orgs/${'a'.repeat(129)}`],
  ['id of 2000', 400, 'GET', `/v1/orgs/${'a'.repeat(2000)}`],
  ['id that is Unicode', 400, 'GET', '/v1/orgs/%F0%9F%92%A9'],
  ['id __proto__ as a query key', 400, 'GET', '/v1/orgs?__proto__=1'],
  ['encoded __proto__ as a query key', 400, 'GET', '/v1/orgs/o?%5f_proto__=1'],
  ['broken percent sign in the path', 400, 'GET', '/v1/orgs/%zz'],
  ['truncated percent sign in the path', 400, 'GET', '/v1/orgs/%e'],
  ['overlong UTF-8 in the path', 400, 'GET', '/v1/orgs/%c0%af'],
  ['encoded surrogate in the path', 400, 'GET', '/v1/orgs/%ed%a0%80'],
  ['broken percent sign in the query', 400, 'GET', '/v1/orgs?limit=%zz'],
  ['encoded surrogate in the query', 400, 'GET', '/v1/orgs?x=%ed%a0%80'],
  ['NUL in the query', 400, 'GET', '/v1/orgs?page=a%00'],
  ['long URL', 400, 'GET', `/v1/orgs?x=${'y'.repeat(2100)}`],
  ['long unknown URL', 400, 'GET', `/v1/none?x=${'y'.repeat(2100)}`],
  ['negative limit', 400, 'GET', '/v1/orgs?limit=-1'],
  ['large limit', 400, 'GET', '/v1/orgs?limit=1001'],
  ['limit that is text', 400, 'GET', '/v1/orgs?limit=many'],
  ['limit that is empty', 400, 'GET', '/v1/orgs?limit='],
  ['limit with a fraction', 400, 'GET', '/v1/orgs?limit=1.5'],
  ['limit in exponents', 400, 'GET', '/v1/orgs?limit=1e2'],
  ['limit NaN', 400, 'GET', '/v1/orgs?limit=NaN'],
  ['limit beyond integers', 400, 'GET', '/v1/orgs?limit=99999999999999999999'],
  ['limit twice', 400, 'GET', '/v1/orgs?limit=1&limit=2'],
  ['unknown sort', 400, 'GET', '/v1/orgs/o/members?sort=constructor'],
  ['unknown role', 400, 'GET', '/v1/orgs/o/members?role=__proto__'],
  ['blank search', 400, 'GET', '/v1/orgs/o/members?search=%20'],
  ['long search', 400, 'GET', `/v1/orgs/o/members?search=${'s'.repeat(257)}`],
  ['long cursor', 400, 'GET', `/v1/orgs?page=${'p'.repeat(2049)}`],
  ['missing body', 400, 'PUT', teams],
  ['empty body', 400, 'PUT', teams, { body: '' }],
  ['truncated JSON', 400, 'PUT', teams, { body: '{"title":"x"' }],
  ['two JSON values', 400, 'PUT', teams, { body: '{"title":"x"}{}' }],
  ['JSON with a comment', 400, 'PUT', teams, { body: '{"title":"x"/**/}' }],
  ['single quotes', 400, 'PUT', teams, { body: "{'title':'x'}" }],
  ['NaN', 400, 'PUT', teams, { body: '{"title":NaN}' }],
  ['bytes that are not UTF-8', 400, 'PUT', teams, { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) }],
  ['UTF-16', 400, 'PUT', teams, { body: Buffer.from('{"title":"x"}', 'utf16le') }],
  ['raw NUL', 400, 'PUT', teams, { body: '{"title":"a\0"}' }],
  ['escaped NUL', 400, 'PUT', teams, { body: '{"title":"a\\u0000"}' }],
  ['escaped NUL in an unknown property', 400, 'PUT', teams, { body: '{"title":"a","x":["\\u0000"]}' }],
  ['escaped NUL in a key', 400, 'PUT', teams, { body: '{"title":"a","\\u0000":1}' }],
  ['lone surrogate', 400, 'PUT', teams, { body: lone }],
  ['lone surrogate in an unknown property', 400, 'PUT', teams, { body: '{"title":"a","x":{"y":"\\udfff"}}' }],
  [
    'raw surrogate bytes',
    400,
    'PUT',
    teams,
    { body: Buffer.from([...Buffer.from('{"title":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]) },
  ],
  ['__proto__', 400, 'PUT', teams, { body: '{"title":"a","__proto__":{"admin":true}}' }],
  ['escaped __proto__', 400, 'PUT', teams, { body: '{"title":"a","\\u005f_proto__":1}' }],
  ['__proto__ far inside', 400, 'PUT', teams, { body: '{"title":"a","x":[{"y":{"__proto__":[]}}]}' }],
  [
    '__proto__ as a key of a map',
    400,
    'PUT',
    `${team}/members`,
    { body: '{"memberships":{"__proto__":{"role":"owner"}}}' },
  ],
  ['array of depth 257', 400, 'PUT', teams, { body: `{"title":"a","x":${deep(256)}}` }],
  ['array of depth 100,000', 400, 'PUT', teams, { body: () => deep(100_000) }],
  ['a million open brackets', 400, 'PUT', teams, { body: () => '['.repeat(1_000_000) }],
  ['objects of depth 5,000', 400, 'PUT', teams, { body: () => `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}` }],
  ['array instead of an object', 400, 'PUT', teams, { body: [] }],
  ['null instead of an object', 400, 'PUT', teams, { body: 'null' }],
  ['number instead of an object', 400, 'PUT', teams, { body: '7' }],
  ['number instead of a string', 400, 'PUT', teams, { body: { title: 7 } }],
  ['object instead of a string', 400, 'PUT', teams, { body: { title: { toString: 'x' } } }],
  ['blank title', 400, 'PUT', teams, { body: { title: '  ' } }],
  ['title of 65', 400, 'PUT', teams, { body: { title: 'x'.repeat(65) } }],
  ['title with a line break', 400, 'PUT', teams, { body: { title: 'a\nb' } }],
  ['too many members', 400, 'PUT', teams, { body: () => ({ title: 'a', members: Array(501).fill('u') }) }],
  ['half a million bad items', 400, 'PUT', teams, { body: () => ({ title: 'a', members: Array(500_000).fill(0) }) }],
  ['unknown enum value', 400, 'PATCH', '/v1/orgs/o/members/u', { body: { role: 'owner' } }],
  ['null body of an optional body', 400, 'PUT', `${team}/members/u`, { body: 'null' }],
  ['text', 415, 'PUT', teams, { body: '{"title":"x"}', headers: { 'content-type': 'text/plain' } }],
  ['form', 415, 'PUT', teams, { body: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['multipart', 415, 'PUT', teams, { body: '--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  [
    'JSON in another charset',
    415,
    'PUT',
    teams,
    { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
  ],
  ['nonsense content type', 415, 'PUT', teams, { body: '{}', headers: { 'content-type': ';;;' } }],
  ['body that is not gzip', 400, 'PUT', teams, { body: '{"title":"x"}', headers: { 'content-encoding': 'gzip' } }],
  ['two codings', 415, 'PUT', teams, { body: '{"title":"x"}', headers: { 'content-encoding': 'identity, br' } }],
  ['JSON-like content type', 415, 'PUT', teams, { body: '{}', headers: { 'content-type': 'application/jsonp' } }],
  [
    'text instead of an optional body',
    415,
    'PUT',
    `${team}/members/u`,
    { body: 'x', headers: { 'content-type': 'text/plain' } },
  ],
  ['body over the limit', 413, 'PUT', teams, { body: () => `{"title":"${'x'.repeat(10 * 1024 * 1024)}"}` }],
  [
    'long idempotency key',
    400,
    'PUT',
    teams,
    { body: { title: 'x' }, headers: { 'idempotency-key': 'k'.repeat(256) } },
  ],
  ['idempotency key with blanks', 400, 'PUT', teams, { body: { title: 'x' }, headers: { 'idempotency-key': 'a b' } }],
];

// Each row has all arguments: Jest would pass a callback in the place of a missing one.
const requests = table.map(([what, status, method, path, call]) => [what, status, method, path, call ?? {}] as const);

describe('a bad request is refused in the documented shape', () => {
  it('has at least 60 cases', () => expect(requests.length).toBeGreaterThanOrEqual(60));

  it.each(requests)('%s: %i', async (_, status, method, path, call) => {
    const before = rig.stub.calls.length;
    const reply = await rig.call(method, path, { token, ...call });
    expect([reply.status, reply.text.slice(0, 300)]).toEqual([status, expect.stringContaining('"error"')]);
    expectShape(reply.json, status);
    expect(reply.json.error.requestId).toBe(reply.headers.get('x-request-id'));
    expect(rig.stub.calls.length).toBe(before);
    expect(reply.text.length).toBeLessThan(40_000);
  });
});

function expectShape(body: unknown, status: number): void {
  const { error, ...others } = body as Json;
  expect(others).toEqual({});
  expect(error).toEqual({
    code: status,
    message: expect.stringMatching(/./),
    reason: expect.stringMatching(/^[a-z_]+$/),
    requestId: expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
    ...(error.details === undefined ? {} : { details: expect.any(Array) }),
  });
  for (const detail of error.details ?? []) expect(Object.keys(detail).sort()).toEqual(['message', 'path']);
}

const raw: [string, string][] = [
  ['not HTTP', 'hello\r\n\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['no Host', `GET ${team} HTTP/1.1\r\n\r\n`],
  ['an unknown method', 'BREW /v1/orgs HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['an unknown version', 'GET /v1/orgs HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ['headers of 20 KB', `GET /v1/orgs HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
  [
    'a thousand long headers',
    `GET /v1/orgs HTTP/1.1\r\nHost: localhost\r\n${'X-A: aaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1_000)}\r\n`,
  ],
  ['a URL of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['a header without a colon', 'GET /v1/orgs HTTP/1.1\r\nHost x\r\n\r\n'],
  ['blanks before a colon', 'GET /v1/orgs HTTP/1.1\r\nHost : x\r\n\r\n'],
  [
    'two lengths',
    'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
  ],
  [
    'length and chunks',
    'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a negative length', 'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n'],
  [
    'an unknown transfer coding',
    'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\nxx',
  ],
  ['a bad chunk size', 'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  [
    'an unknown Expect',
    'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}',
  ],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a NUL in a header', 'GET /v1/orgs HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n'],
  ['bare line feeds in a header', 'GET /v1/orgs HTTP/1.1\r\nHost: localhost\r\nX-A: a\rb\r\n\r\n'],
  ['an absolute target with an unknown path', 'GET http://evil/none HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['raw bytes in the path', 'GET /v1/\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n'],
];

describe('a malformed request is refused in the documented shape', () => {
  it.each(raw)('%s', async (_, bytes) => {
    const text = await exchange(rig.address, Buffer.from(bytes, 'latin1'), { done: isWhole });
    const answer = parseAnswer(text);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expectShape(answer.body, answer.status);
  });
});

describe('unusual but valid requests', () => {
  it.each([
    ['depth of exactly 256', 'PUT', teams, { body: `{"title":"a","x":${deep(255)}}` }],
    ['constructor and prototype', 'PUT', teams, { body: '{"title":"a","constructor":{"prototype":{}}}' }],
    ['a byte order mark', 'PUT', teams, { body: Buffer.from('\ufeff{"title":"a"}') }],
    [
      'JSON with a suffix type',
      'PUT',
      teams,
      { body: '{"title":"a"}', headers: { 'content-type': 'application/merge-patch+json; charset=UTF-8' } },
    ],
    ['a pair of surrogates as escapes', 'PUT', teams, { body: '{"title":"\\ud83d\\ude00"}' }],
    ['a body that the operation does not take', 'DELETE', team, { body: '{broken', headers: json }],
    [
      'a body that the operation does not take, with an invalid type',
      'DELETE',
      team,
      { body: '{broken', headers: { 'content-type': ';;' } },
    ],
    ['brackets inside strings', 'PUT', teams, { body: JSON.stringify({ title: 'a', x: '[{"'.repeat(500) }) }],
  ] as [string, string, string, CallOptions][])('%s', async (_, method, path, call) => {
    expect((await rig.call(method, path, { token, ...call })).status).toBeLessThan(300);
  });

  it('accepts a lower-case scheme and blanks around the token', async () => {
    expect(
      (await rig.call('GET', team, { token: null, headers: { authorization: `bearer   ${token} ` } })).status,
    ).toBe(200);
  });

  it('replaces a malformed request id', async () => {
    const reply = await rig.call('GET', team, { token, headers: { 'x-request-id': 'a b<script>' } });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('raw bytes', () => {
  it('never end the process and are never answered by 5xx', async () => {
    const seed = Number(process.env['SEED']);
    const random = mulberry(seed);
    const pieces = [
      'GET ',
      'PUT ',
      '/v1/orgs',
      '?limit=',
      ' HTTP/1.1\r\n',
      'Host: localhost\r\n',
      'Content-Length: 10\r\n',
      '\r\n',
      '{"a":',
      '\0',
      '%ff',
      `Authorization: Bearer ${token}\r\n`,
      'Transfer-Encoding: chunked\r\n',
      '5\r\n',
      'Expect: 100-continue\r\n',
      'Upgrade: h2c\r\nConnection: Upgrade\r\n',
    ];
    for (let round = 0; round < 40; round += 1) {
      const shots = Array.from({ length: 5 }, () => fuzz(random, pieces));
      const answers = await Promise.all(
        shots.map((bytes) => exchange(rig.address, bytes, { timeoutMs: 100, done: isWhole })),
      );
      for (const text of answers.filter((answer) => answer !== '')) {
        const status = Number(text.slice(9, 12));
        expect([seed, round, status >= 500]).toEqual([seed, round, false]);
      }
    }
    expect((await rig.call('GET', team, { token })).status).toBe(200);
  });
});

function fuzz(random: () => number, pieces: readonly string[]): Buffer {
  const parts = Array.from({ length: 1 + Math.floor(random() * 12) }, () =>
    random() < 0.8
      ? Buffer.from(pieces[Math.floor(random() * pieces.length)] ?? '', 'latin1')
      : Buffer.from(Array.from({ length: Math.floor(random() * 20) }, () => Math.floor(random() * 256))),
  );
  return Buffer.concat(parts);
}

/** A seeded random generator, so that a failure can be repeated. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
