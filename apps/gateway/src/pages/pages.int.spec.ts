import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jsonAnswer, refuse, startRig, textOf, type Rig } from '../test/rig.js';

const origin = 'http://docs.test';
const session = `scr_ses_${'a'.repeat(20)}_${'b'.repeat(43)}`;
const principal = {
  kind: 'user',
  id: 'ann',
  token: { id: 'a'.repeat(20), kind: 'session', expiresAt: '2999-01-01T00:00:00.000Z' },
  operator: false,
};
const time = '2026-01-02T03:04:05.006Z';
const own = {
  object: 'session',
  id: 'a'.repeat(20),
  method: 'link',
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  current: true,
  client: '<script>alert(1)</script>',
  urls: { location: 'http://x.test' },
  password: true,
  user: { object: 'user', id: 'ann', displayName: '"><script>', urls: { location: 'http://x.test' } },
};

const login = {
  organization: { title: '<b>Acme</b>' },
  id: 'p1',
  label: 'Main',
  startURL: 'http://docs.test/v1/sso/saml/p1/start',
};

let rig: Rig;
beforeAll(async () => void (rig = await startRig()));
afterAll(() => rig.stop());
beforeEach(() => {
  rig.stub.on = {
    authenticateSession: () => jsonAnswer({ principal }),
    getSession: () => jsonAnswer(own),
    listUserSessions: () => jsonAnswer({ items: [own], count: 1 }),
    listUserTokens: () => jsonAnswer({ items: [], count: 0 }),
    listSSOLoginsForEmail: () => jsonAnswer({ items: [login] }),
  };
});

const form = 'application/x-www-form-urlencoded';
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  rig.call('POST', path, {
    token: null,
    body: new URLSearchParams(fields).toString(),
    headers: { origin, 'content-type': form, ...headers },
  });
const account = '/v1/auth/account';
const cookie = { cookie: `scriptorium_session=${session}` };

describe('a form', () => {
  it.each([[undefined], ['null'], ['https://evil.test']])(
    'from origin %s is refused before a service is called',
    async (from) => {
      rig.stub.on['signIn'] = refuse('unexpected');
      const headers: Record<string, string> = { 'content-type': form, ...(from === undefined ? {} : { origin: from }) };
      const { status, text } = await rig.call('POST', `${account}/by-password`, {
        token: null,
        body: 'email=a',
        headers,
      });
      expect([status, text.includes('open this page at the public address of the installation')]).toEqual([403, true]);
    },
  );

  it('signs in, sets the cookie and redirects', async () => {
    rig.stub.on['signIn'] = ({ body, headers }) => {
      expect(JSON.parse(textOf(body))).toMatchObject({ body: { email: 'ann@example.org', password: ' with spaces ' } });
      expect(headers['client-address']).toBe('127.0.0.1');
      return jsonAnswer(own, { session });
    };
    const { status, headers } = await post(`${account}/by-password`, {
      email: ' ann@example.org ',
      password: ' with spaces ',
    });
    expect([status, headers.get('location')]).toEqual([303, account]);
    expect(headers.get('set-cookie')).toBe(
      `scriptorium_session=${session}; Path=/v1; HttpOnly; SameSite=Strict; Max-Age=2592000`,
    );
  });

  it('that is refused is shown again with the reason and the address, without the password', async () => {
    rig.stub.on['signIn'] = refuse('rate_limited', [], { retryAfter: 7 });
    const { status, text } = await post(`${account}/by-password`, {
      email: '"><img src=x>',
      password: 'hunter2hunter2',
    });
    expect([
      status,
      text.includes('Wait 7 s.'),
      text.includes('&quot;&gt;&lt;img src=x&gt;'),
      text.includes('hunter2'),
    ]).toEqual([429, true, true, false]);
  });

  it('of another type or beyond the size limit is refused', async () => {
    expect((await post(`${account}/by-password`, {}, { 'content-type': 'application/json' })).status).toBe(415);
    expect((await post(`${account}/by-password`, { email: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('of the account needs the session', async () => {
    const { status, headers } = await post(`${account}/new-token`, { label: 'x' });
    expect([status, headers.get('location')]).toEqual([303, '/sign-in']);
  });

  it('does not show the cause of an unexpected failure', async () => {
    rig.stub.on['signIn'] = refuse('unexpected', [], { message: 'Unexpected error' });
    expect((await post(`${account}/by-password`, { email: 'a@b.test', password: 'x' })).text).toContain(
      'Unexpected error',
    );
  });
});

describe('a page', () => {
  it('runs no script, and shows texts of people as text', async () => {
    const { status, text, headers } = await rig.call('GET', account, { token: null, headers: cookie });
    expect(status).toBe(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-frame-options')]).toEqual([
      'no-store',
      'same-origin',
      'DENY',
    ]);
  });

  it('of a link does not use the link, and shows its secret as text', async () => {
    const { status, text } = await rig.call('GET', '/sign-in/link?link=%22%3E%3Cb%3E', { token: null });
    expect([status, text.includes('value="&quot;&gt;&lt;b&gt;"'), rig.stub.calls.length]).toEqual([200, true, 0]);
  });

  it('of the account redirects to sign-in without a session, or with one that has ended', async () => {
    expect((await rig.call('GET', account, { token: null })).headers.get('location')).toBe('/sign-in');
    rig.stub.on['authenticateSession'] = () => jsonAnswer({ principal: null });
    const other = cookie.cookie.replace('_b', '_c');
    expect((await rig.call('GET', account, { token: null, headers: { cookie: other } })).headers.get('location')).toBe(
      '/sign-in',
    );
  });

  it('sets the new secret of a session', async () => {
    const renewed = `scr_ses_${'a'.repeat(20)}_${'d'.repeat(43)}`;
    rig.stub.on['authenticateSession'] = () => jsonAnswer({ principal, renewed });
    const headers = { cookie: cookie.cookie.replace('_b', '_e') };
    expect((await rig.call('GET', account, { token: null, headers })).headers.get('set-cookie')).toContain(renewed);
    expect((await rig.call('GET', '/v1/auth/session', { token: null, headers })).headers.get('set-cookie')).toContain(
      renewed,
    );
  });
});

describe('single sign-on', () => {
  const start = '/v1/sso/saml/p1/start';
  const acs = '/v1/sso/saml/p1/acs';
  const word = 'f'.repeat(64);
  const answerForm = { SAMLResponse: 'AAAA', RelayState: 'r' };
  const html = { accept: 'text/html,application/xhtml+xml' };

  it('is found by the e-mail address, with links that work without scripts', async () => {
    const { status, text } = await post(`${account}/by-sso`, { email: 'ann@example.org' });
    expect([status, text.includes(`<a href="${login.startURL}">&lt;b&gt;Acme&lt;/b&gt;</a>`)]).toEqual([200, true]);
    rig.stub.on['listSSOLoginsForEmail'] = () => jsonAnswer({ items: [] });
    expect((await post(`${account}/by-sso`, { email: 'ann@example.org' })).text).toContain(
      'No organization offers single sign-on',
    );
  });

  it('redirects to the provider, with a cookie that recognises the browser', async () => {
    const location = `https://idp.test/sso?SAMLRequest=${'x'.repeat(3_000)}`;
    const told: (string | undefined)[] = [];
    rig.stub.on['startSAMLSignIn'] = (request) => {
      told.push(request.headers['browser']);
      return { body: Buffer.alloc(0), headers: { location } };
    };
    const { status, headers, text } = await rig.call('GET', start, { token: null });
    const [, given = ''] =
      /^scriptorium_browser=([0-9a-f]{64}); Path=\/v1\/sso; HttpOnly; Max-Age=900$/.exec(
        headers.get('set-cookie') ?? '',
      ) ?? [];
    expect([status, headers.get('location'), given.length, text]).toEqual([302, location, 64, '']);
    expect([told[0]?.length, told[0] === given]).toEqual([64, false]);
    const again = await rig.call('GET', start, {
      token: null,
      headers: { cookie: `scriptorium_browser=x; scriptorium_browser=${given}` },
    });
    expect([again.headers.get('set-cookie')?.includes(given), told[1]]).toEqual([true, told[0]]);
  });

  it('asks first when another site has sent the browser here', async () => {
    let asked = 0;
    rig.stub.on['startSAMLSignIn'] = () => {
      asked += 1;
      return { body: Buffer.alloc(0), headers: { location: 'https://idp.test/sso' } };
    };
    const from = (site: string, path = start) =>
      rig.call('GET', path, { token: null, headers: { 'sec-fetch-site': site } });
    for (const site of ['cross-site', 'same-site']) {
      const { status, headers } = await from(site);
      expect([site, status, headers.get('location'), headers.get('set-cookie')]).toEqual([
        site,
        302,
        '/sign-in/confirm?provider=p1',
        null,
      ]);
    }
    expect(asked).toBe(0);
    const { status, text } = await rig.call('GET', '/sign-in/confirm?provider=p1', { token: null });
    expect([status, text.includes(`<a href="${start}">Continue</a>`)]).toEqual([200, true]);
    for (const provider of ['..%2Fx', 'a"b', ''])
      expect((await rig.call('GET', `/sign-in/confirm?provider=${provider}`, { token: null })).text).toContain(
        'no such way to sign in',
      );
    for (const site of ['same-origin', 'none']) await from(site);
    expect(asked).toBe(2);
  });

  it('returns by a form of another site, with which a session is ignored', async () => {
    rig.stub.on['finishSAMLSignIn'] = ({ body, headers }) => {
      expect(JSON.parse(textOf(body))).toMatchObject({ params: { samlProviderId: 'p1' }, body: answerForm });
      expect([headers['session'], headers['browser']?.length]).toEqual([undefined, 64]);
      return { body: Buffer.alloc(0), headers: { location: '/sign-in/arrived', session } };
    };
    const headers = {
      origin: 'https://idp.test',
      'content-type': form,
      cookie: `scriptorium_browser=${word}; ${cookie.cookie}`,
    };
    const answer = await rig.call('POST', acs, {
      token: null,
      body: new URLSearchParams(answerForm).toString(),
      headers,
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/sign-in/arrived']);
    expect(answer.headers.get('set-cookie')).toBe(
      `scriptorium_session=${session}; Path=/v1; HttpOnly; SameSite=Strict; Max-Age=2592000`,
    );
    const arrived = await rig.call('GET', '/sign-in/arrived', { token: null });
    expect([
      arrived.status,
      arrived.text.includes(`<meta http-equiv="refresh" content="0; url=${account}" />`),
    ]).toEqual([200, true]);
  });

  it('that is refused is a page for browsers and an error for programs', async () => {
    rig.stub.on['finishSAMLSignIn'] = refuse('already_exists', [], { message: 'There is <one>' });
    const body = new URLSearchParams(answerForm).toString();
    const page = await rig.call('POST', acs, { token: null, body, headers: { 'content-type': form, ...html } });
    expect([
      page.status,
      page.text.includes('There is &lt;one&gt;'),
      page.text.includes(`href="${start}?connect=true"`),
    ]).toEqual([409, true, true]);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    const error = await rig.call('POST', acs, { token: null, body, headers: { 'content-type': form } });
    expect([error.status, error.json.error.reason]).toEqual([409, 'already_exists']);
  });

  it('can be connected on the account page', async () => {
    rig.stub.on['getSession'] = () => jsonAnswer({ ...own, user: { ...own.user, email: 'ann@example.org' } });
    expect((await rig.call('GET', account, { token: null, headers: cookie })).text).toContain(
      `href="${login.startURL}?connect=true"`,
    );
  });

  it('shows nothing of the account that does not belong to the organization', async () => {
    rig.stub.on['getSession'] = () => jsonAnswer({ ...own, method: 'saml', organization: 'o1' });
    for (const id of ['listUserTokens', 'listUserSessions']) rig.stub.on[id] = refuse('forbidden');
    const { status, text } = await rig.call('GET', account, { token: null, headers: cookie });
    expect([status, text.includes('is for that organization only'), text.includes('new-token')]).toEqual([
      200,
      true,
      false,
    ]);
  });
});
