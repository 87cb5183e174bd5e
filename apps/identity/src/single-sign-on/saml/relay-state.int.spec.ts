import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { startRig, type Rig } from '../../test/rig.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';

/** `RelayState` names the request of a browser. It is no address, and nobody is sent to what it says. */
describe('the RelayState of an answer', () => {
  let rig: Rig;
  let idp: TestProvider;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig();
    idp = await startIdentityProvider(metadataOver(rig));
    const body = { label: 'Main', ...idp.settings };
    provider = String((await rig.send('POST', `/orgs/${rig.organization}/saml`, { body })).body['id']);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const email = () => rig.email('relay');
  const outcome = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: { reason: string; details?: { path: string }[] } };
    const { status, headers } = answer;
    return [status, error.reason, error.details?.[0]?.path, headers.get('location'), headers.get('set-cookie')];
  };

  it.each([
    ['81 characters', 'a'.repeat(81)],
    ['the id with an address behind it', undefined],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['an address of 400,000 characters', `https://evil.example/${'a'.repeat(400_000)}`],
  ])('is refused as %s, and leads nowhere', async (_, long) => {
    const one = ssoVisitor(rig, idp);
    const form = await one.requestAnswer(provider, { email: email() });
    const RelayState = long ?? `${form.RelayState}${' '.repeat(60)}https://evil.example`;
    expect(await outcome(await one.post({ ...form, RelayState }))).toEqual([
      400,
      'invalid_request',
      'body.RelayState',
      null,
      null,
    ]);
    // The request is still there for the browser that began it.
    const answer = await one.post(form);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/sign-in/arrived']);
  });

  it.each([
    'https://evil.example/',
    'https:evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    '/v1/orgs',
    '/sign-in/arrived',
    'data:text/html,x',
    '%2F%2Fevil.example',
    '\t//evil.example',
    '{"$ne":null}',
    '.*',
  ])('%j is no request, and leads nowhere', async (RelayState) => {
    const one = ssoVisitor(rig, idp);
    const form = await one.requestAnswer(provider, { email: email() });
    const [status, reason, , location, cookie] = await outcome(await one.post({ ...form, RelayState }));
    expect([status, reason, location, cookie]).toEqual([401, 'unauthenticated', null, null]);
  });

  it('is given once, under its own name', async () => {
    const one = ssoVisitor(rig, idp);
    const { action, SAMLResponse, RelayState } = await one.requestAnswer(provider, { email: email() });
    const send = async (body: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' };
      const url = action.replace('https://docs.example', rig.endpoint);
      const answer = await fetch(url, { method: 'POST', redirect: 'manual', headers, body });
      return [answer.status, answer.headers.get('location')];
    };
    const response = new URLSearchParams({ SAMLResponse }).toString();
    for (const state of [
      `RelayState=${RelayState}&RelayState=https%3A%2F%2Fevil.example`,
      `RelayState%5B%24ne%5D=x`,
      `relaystate=${RelayState}`,
    ])
      expect([state, ...(await send(`${response}&${state}`))]).toEqual([state, 400, null]);
  });

  it('of the request is its own, whatever the address that starts it says', async () => {
    const start = `${rig.endpoint}/v1/sso/saml/${provider}/start`;
    for (const query of ['?RelayState=https%3A%2F%2Fevil.example', '?returnTo=//evil.example&connect=false']) {
      const answer = await fetch(`${start}${query}`, { redirect: 'manual', headers: { 'sec-fetch-site': 'none' } });
      const to = new URL(answer.headers.get('location') ?? '');
      expect([answer.status, to.origin]).toEqual([302, new URL(idp.settings.ssoURL).origin]);
      expect(to.searchParams.getAll('RelayState')).toEqual([expect.stringMatching(/^[\w-]{10,80}$/)]);
      expect(to.href).not.toContain('evil');
    }
  });
});
