import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jsonAnswer, startRig, type Rig } from './test/rig.js';

const session = `scr_ses_${'a'.repeat(20)}_${'b'.repeat(43)}`;
const principal = {
  kind: 'user',
  id: 'ann',
  token: { id: 'a'.repeat(20), kind: 'session', expiresAt: '2999-01-01T00:00:00.000Z' },
  operator: false,
};
const cookie = `scriptorium_session=${session}`;
const origin = 'https://docs.test';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ config: { publicUrl: origin, corsOrigins: ['*'] } });
});
afterAll(() => rig.stop());
beforeEach(() => {
  rig.stub.on = {
    authenticateSession: () => jsonAnswer({ principal }),
    signOut: () => jsonAnswer({}, { session: '' }),
    signIn: () => jsonAnswer({}, { session }),
  };
});
afterEach(() => void (rig.stub.calls.length = 0));

const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  rig.call(method, path, { token: null, headers: { cookie, ...headers }, ...(body === undefined ? {} : { body }) });

const writes: [string, string, unknown][] = [
  ['POST', '/v1/user/tokens', { label: 'x' }],
  ['DELETE', '/v1/user/tokens/t', undefined],
  ['DELETE', '/v1/user/sessions/s', undefined],
  ['PUT', '/v1/auth/password', { password: 'a long enough one' }],
];

describe('a write with a session', () => {
  it.each(writes)('%s %s: is accepted from pages of this origin only', async (method, path, body) => {
    for (const named of [
      undefined,
      'null',
      'https://evil.test',
      'http://docs.test',
      'https://docs.test:8443',
      'https://docs.test.evil.test',
      'https://a.docs.test',
      `${origin}/`,
      '',
    ]) {
      const { status, json } = await call(method, path, named === undefined ? {} : { origin: named }, body);
      expect([named, status, json.error.reason]).toEqual([named, 403, 'forbidden']);
    }
    expect(rig.stub.calls).toEqual([]);
    expect((await call(method, path, { origin }, body)).status).toBeLessThan(300);
  });

  it('is accepted only from pages of this origin when it ends or replaces the session', async () => {
    for (const [path, body] of [
      ['/v1/auth/logout', undefined],
      ['/v1/auth/login', { email: 'a@docs.test', password: 'a long enough one' }],
    ] as const) {
      for (const headers of [{}, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }]) {
        const { status, json, headers: answered } = await call('POST', path, headers, body);
        expect([path, status, json.error.reason, answered.get('set-cookie')]).toEqual([path, 403, 'forbidden', null]);
      }
      expect((await call('POST', path, { origin }, body)).status).toBe(200);
    }
  });

  it('is judged by Origin, not by Sec-Fetch-Site', async () => {
    expect((await call('POST', '/v1/user/tokens', { 'sec-fetch-site': 'same-origin' }, { label: 'x' })).status).toBe(
      403,
    );
    expect(
      (
        await call(
          'POST',
          '/v1/user/tokens',
          { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
          { label: 'x' },
        )
      ).status,
    ).toBe(403);
  });

  it('of a form of another origin is refused, whatever its type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      expect(
        (await call('POST', '/v1/user/tokens', { origin: 'https://evil.test', 'content-type': type }, '{"label":"x"}'))
          .status,
      ).toBe(403);
    }
  });
});

describe('a read with a session', () => {
  it.each([
    [{}, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.test' }, 403],
  ] as [Record<string, string>, number][])('%j: %i', async (headers, status) => {
    expect((await call('GET', '/v1/user/tokens', headers)).status).toBe(status);
  });

  it('is refused by operations that do not accept sessions', async () => {
    expect((await call('GET', '/v1/orgs', { origin })).status).toBe(401);
  });

  it('allows no credentials to scripts of other origins', async () => {
    const { headers } = await call('GET', '/v1/user/tokens', { origin: 'https://evil.test' });
    expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
      '*',
      null,
    ]);
  });
});

describe('the cookie', () => {
  it('is limited to this origin, and scripts cannot read it', async () => {
    const { headers } = await call('POST', '/v1/auth/login', { origin }, { email: 'a@b.example', password: 'x' });
    expect(headers.get('set-cookie')).toBe(`${cookie}; Path=/v1; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000`);
  });

  it('is removed when the session ends', async () => {
    const { headers } = await call('POST', '/v1/auth/logout', { origin });
    expect(headers.get('set-cookie')).toBe(
      'scriptorium_session=; Path=/v1; HttpOnly; SameSite=Strict; Secure; Max-Age=0',
    );
  });
});

describe('behind TLS', () => {
  it('every answer has Strict-Transport-Security', async () => {
    for (const path of ['/v1/', '/v1/nothing', '/sign-in', '/livez']) {
      expect((await rig.call('GET', path, { token: null })).headers.get('strict-transport-security')).toBe(
        'max-age=31536000; includeSubDomains',
      );
    }
  });
});
