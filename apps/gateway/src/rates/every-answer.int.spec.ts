import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange, isWhole, parseAnswer } from '../test/raw.js';
import { jsonAnswer, refuse, startRig, type CallOptions, type Rig } from '../test/rig.js';

const session = `scr_ses_${'a'.repeat(20)}_${'b'.repeat(43)}`;
const principal = {
  kind: 'user',
  id: 'ann',
  token: { id: 'a'.repeat(20), kind: 'session', expiresAt: '2999-01-01T00:00:00.000Z' },
  operator: false,
};
const origin = 'https://app.test';
const form = { origin: 'http://docs.test', 'content-type': 'application/x-www-form-urlencoded' };
const limits = { ordinary: 9, search: 2, 'content-write': 20, 'spec-write': 12, pdf: 10, anonymous: 3, files: 2 };

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ config: { rates: limits, trustProxy: 1, corsOrigins: [origin] } });
});
afterAll(() => rig.stop());
afterEach(() => void (rig.stub.on = {}));

let last = 0;
const from = () => `10.0.0.${(last += 1)}`;
type Sent = [method: string, path: string, options?: CallOptions];
const preflight: Sent = ['OPTIONS', '/v1/user', { headers: { origin, 'access-control-request-method': 'GET' } }];
const everywhere: [name: string, status: number, sent: Sent][] = [
  ['an unknown path', 404, ['GET', '/v1/nothing']],
  ['an unknown path outside of the API', 404, ['POST', '/nothing', { body: {} }]],
  ['a method that the path does not have', 405, ['DELETE', '/openapi.json']],
  ['the OpenAPI document', 200, ['GET', '/openapi.json']],
  ['HEAD of a document', 200, ['HEAD', '/openapi.yaml']],
  ['the page of an error reason', 200, ['GET', '/errors/not_found']],
  ['the sign-in page', 200, ['GET', '/sign-in']],
  ['a form', 303, ['POST', '/v1/auth/account/new-token', { headers: form, body: 'label=x' }]],
  [
    'a form of another origin',
    403,
    ['POST', '/v1/auth/account/by-password', { headers: { ...form, origin: 'https://evil.test' }, body: 'email=a' }],
  ],
  ['an operation without a token', 401, ['GET', '/v1/user']],
  ['an operation that needs no token', 200, ['GET', '/v1/']],
  ['a path with invalid percent-encoding', 400, ['GET', '/v1/orgs/%zz']],
  ['a path that is too long', 400, ['GET', `/v1/${'a'.repeat(3_000)}`]],
  ['an empty path parameter', 404, ['GET', '/v1/orgs//teams']],
];

describe('without a token', () => {
  const call = (address: string, [method, path, options]: Sent) =>
    rig.call(method, path, { token: null, ...options, headers: { 'x-forwarded-for': address, ...options?.headers } });

  it.each(everywhere)(
    '%s counts for the address, and the answer has the headers of the rate',
    async (_, status, sent) => {
      // For a path that cannot be read, the server does not evaluate X-Forwarded-For.
      const address = sent[1].includes('%zz') ? '127.0.0.1' : from();
      for (const remaining of ['2', '1', '0']) {
        const answer = await call(address, sent);
        expect([
          answer.status,
          answer.headers.get('x-ratelimit-limit'),
          answer.headers.get('x-ratelimit-remaining'),
        ]).toEqual([status, '3', remaining]);
        expect(Number(answer.headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(Date.now());
      }
      const refused = await call(address, sent);
      expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
      // One of three comes back every 20 s. Some of that passed while the answers above were made.
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds > 0 && seconds <= 20).toBe(true);
      expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('requests of all kinds count together', async () => {
    const address = from();
    const states = [];
    for (const [, , sent] of everywhere.slice(0, 4)) states.push((await call(address, sent)).status);
    expect(states).toEqual([404, 404, 405, 429]);
  });

  it('preflights of an address count together, by the limit of a token', async () => {
    const address = from();
    const left = [];
    for (let n = 0; n < 10; n += 1) {
      const { status, headers } = await call(address, preflight);
      left.push([status, headers.get('x-ratelimit-remaining')]);
    }
    expect(left).toEqual([...Array.from({ length: 9 }, (_, n) => [204, String(8 - n)]), [429, '0']]);
    expect((await call(address, ['GET', '/v1/'])).status).toBe(200);
  });

  it('a refused page is HTML, and scripts of allowed origins can read it', async () => {
    const address = from();
    const page: Sent = ['GET', '/sign-in', { headers: { origin } }];
    for (let n = 0; n < 3; n += 1) await call(address, page);
    const { status, text, headers } = await call(address, page);
    expect([status, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
      429,
      'text/html; charset=utf-8',
      origin,
    ]);
    expect(text).toContain('Wait 20 s.');
  });

  it('a refusal of a form has Retry-After too', async () => {
    rig.stub.on['signIn'] = refuse('rate_limited', [], { retryAfter: 7 });
    const { status, headers } = await call(from(), [
      'POST',
      '/v1/auth/account/by-password',
      { headers: form, body: 'email=a%40b.test&password=x' },
    ]);
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
  });
});

describe('with a token', () => {
  it.each([
    ...everywhere.slice(0, 7),
    ['an operation that needs no token', 200, ['GET', '/v1/']],
    ['a preflight', 204, preflight],
  ] as typeof everywhere)('%s counts for the token', async (_, status, [method, path, options]) => {
    const token = rig.issue();
    const answer = await rig.call(method, path, { token, ...options });
    const again = await rig.call('GET', '/v1/user', { token });
    expect([
      answer.status,
      answer.headers.get('x-ratelimit-remaining'),
      again.headers.get('x-ratelimit-remaining'),
    ]).toEqual([status, '8', '7']);
  });

  it('that is invalid, requests count for the address', async () => {
    const headers = { 'x-forwarded-for': from() };
    const states = [];
    for (let n = 0; n < 4; n += 1)
      states.push((await rig.call('GET', '/openapi.json', { token: 'made-up', headers })).status);
    expect(states).toEqual([200, 200, 200, 429]);
  });

  it('that identity cannot check, documents are served and an operation is not counted', async () => {
    const token = rig.issue();
    const headers = { 'x-forwarded-for': from() };
    rig.stub.on['authenticateToken'] = () => Promise.reject(new Error('broken'));
    const left = [];
    for (const path of ['/openapi.json', '/v1/user', '/v1/user']) {
      const answer = await rig.call('GET', path, { token, headers });
      left.push([answer.status, answer.headers.get('x-ratelimit-remaining')]);
    }
    expect(left).toEqual([
      [200, '2'],
      [503, '2'],
      [503, '2'],
    ]);
  });
});

describe('with a session', () => {
  const headers = { cookie: `scriptorium_session=${session}` };

  it('a page counts once, however many requests it makes to services', async () => {
    rig.stub.on = {
      authenticateSession: () => jsonAnswer({ principal }),
      getSession: () => jsonAnswer({ user: { displayName: 'Ann', email: 'a@b.test' }, password: true, method: 'link' }),
      listUserTokens: () => jsonAnswer({ items: [], count: 0 }),
      listUserSessions: () => jsonAnswer({ items: [], count: 0 }),
      listSSOLoginsForEmail: () => jsonAnswer({ items: [] }),
    };
    const answer = await rig.call('GET', '/v1/auth/account', { token: null, headers });
    expect([
      answer.status,
      answer.headers.get('x-ratelimit-limit'),
      answer.headers.get('x-ratelimit-remaining'),
    ]).toEqual([200, '9', '8']);
  });

  it('an answer that may be cached for everybody sets no cookie', async () => {
    rig.stub.on['authenticateSession'] = () => jsonAnswer({ principal, renewed: session });
    expect((await rig.call('GET', '/openapi.json', { token: null, headers })).headers.get('set-cookie')).toBeNull();
    expect((await rig.call('GET', '/v1/nothing', { token: null, headers })).headers.get('set-cookie')).toContain(
      session,
    );
  });
});

describe('bytes that are not a proper request', () => {
  it.each([
    ['not HTTP', 'nonsense\r\n\r\n'],
    ['another host', 'GET /v1/ HTTP/1.1\r\nHost: evil.test\r\n\r\n'],
    [
      'an ambiguous end',
      'PUT /v1/orgs/o/teams HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an odd Expect', 'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}'],
  ])('(%s) count for their address, and the connection is closed', async (_, bytes) => {
    const other = await startRig({ config: { rates: limits } });
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(parseAnswer(await exchange(other.address, bytes, { done: isWhole })));
    await other.stop();
    expect(answers.map(({ headers }) => /x-ratelimit-remaining: (\d+)/i.exec(headers)?.[1])).toEqual([
      '2',
      '1',
      '0',
      '0',
    ]);
    expect(answers.map(({ status }) => status === 429)).toEqual([false, false, false, true]);
    expect(answers.map(({ headers }) => /connection: close/i.test(headers))).toEqual([true, true, true, true]);
  });

  it('with a body that is too large close the connection also when the rate is exceeded', async () => {
    const other = await startRig({ config: { rates: limits } });
    const bytes = 'PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99000000\r\n\r\n{';
    for (let n = 0; n < 4; n += 1)
      expect(await exchange(other.address, bytes, { done: isWhole })).toMatch(/connection: close/i);
    await other.stop();
  });
});

describe('what is not counted', () => {
  it('is a health check', async () => {
    for (const path of ['/livez', '/readyz']) {
      for (let n = 0; n < 5; n += 1) {
        const { status, headers } = await rig.call('GET', path, {
          token: null,
          headers: { 'x-forwarded-for': '10.9.9.9' },
        });
        expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null]);
      }
    }
  });

  it('is any request while no rate is limited', async () => {
    const off = await startRig({ config: { corsOrigins: [origin] } });
    for (const [, status, [method, path, options]] of everywhere) {
      const answer = await off.call(method, path, { token: null, ...options });
      expect([path, answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([path, status, null]);
    }
    await off.stop();
  });
});
