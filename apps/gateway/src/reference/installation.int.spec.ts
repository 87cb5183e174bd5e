import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Rig } from '../test/rig.js';

const canonical = 'https://docs.test/.well-known/security.txt';

let rig: Rig;
let named: Rig;
beforeAll(async () => {
  rig = await startRig();
  named = await startRig({ config: { security: { contact: 'mailto:security@docs.test', canonical } } });
});
afterAll(async () => {
  await rig.stop();
  await named.stop();
});

const get = (path: string, of = rig, headers: Record<string, string> = {}) =>
  of.call('GET', path, { token: null, headers });

describe('the version', () => {
  it('is told with the build and the version of the contract', async () => {
    const { status, headers, json } = await get('/version');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(json).toEqual({ version: '1.2.3', build: 'spec', contract: 'v1' });
  });
});

describe('the health of the process', () => {
  it.each([['/livez'], ['/healthz']])('is told at %s', async (path) => {
    const { status, text } = await get(path);
    expect([status, text]).toEqual([200, 'ok']);
  });

  it('is read alone', async () => {
    const { status, headers } = await rig.call('POST', '/healthz', { token: null });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the contact for reports of weaknesses', () => {
  it('is told as RFC 9116 says', async () => {
    const { status, headers, text } = await get('/.well-known/security.txt', named);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const [contact, expires = '', ...rest] = text.split('\r\n');
    expect([contact, rest]).toEqual(['Contact: mailto:security@docs.test', [`Canonical: ${canonical}`, '']]);
    const days = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(178);
    expect(days).toBeLessThan(366);
  });

  it('is missing where the installation names none', async () => {
    const { status, json } = await get('/.well-known/security.txt');
    expect([status, json.error.reason]).toEqual([404, 'not_found']);
  });
});

describe('the icon', () => {
  it('is a drawing that loads nothing', async () => {
    const { status, headers, text } = await get('/favicon.ico');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/svg+xml',
      'public, max-age=86400',
    ]);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 32 32">.*<\/svg>$/);
    expect(text).not.toMatch(/href|url\(|script/);
  });

  it.each([['/reference'], ['/errors'], ['/sign-in']])('is that of %s', async (path) => {
    const { headers, text } = await get(path);
    expect(text).toContain('<link rel="icon" href="/favicon.ico" type="image/svg+xml">');
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data:");
  });
});
