import { describe, expect, it } from '@jest/globals';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { isCallbackCookie } from './callback-cookie-name.js';
import { callbackCookie, callbackSeconds, hasCallbackCookie } from './callback-cookie.process.js';

const keys = parseKeyring(['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join());
const of = { integration: 'slack', installation: 'i1' };
const now = 1_700_000_000_000;

describe('the cookie of a browser that connects something to an installation', () => {
  it.each([true, false])('counts for that installation alone, for 15 minutes (secure: %s)', (isSecure) => {
    const set = callbackCookie(keys, of, { now, isSecure });
    expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900/);
    expect(set.startsWith('__Host-')).toBe(isSecure);
    expect(set.endsWith('; Secure')).toBe(isSecure);
    const [cookie = ''] = set.split(';');
    const has = (whom: typeof of, cookies: string, at = now) =>
      hasCallbackCookie(keys, whom, { cookies, now: at, isSecure });
    expect(has(of, `a=b; ${cookie}; c=d`)).toBe(true);
    expect(has(of, cookie, now + callbackSeconds * 1000)).toBe(false);
    expect(has({ ...of, installation: 'i2' }, cookie.replace('i1', 'i2'))).toBe(false);
    expect(has({ ...of, integration: 'other' }, cookie)).toBe(false);
    for (const forged of [
      '',
      cookie.slice(0, -2),
      `${cookie.slice(0, -1)}0x`,
      cookie.replace(/\.\d+\./, '.9999999999.'),
    ])
      expect(has(of, forged)).toBe(false);
  });

  it('is known by its name, however it is written', () => {
    for (const name of [
      'scriptorium-callback-i1',
      '__Host-scriptorium-callback-i1',
      ' __secure-Scriptorium-Callback-x',
    ])
      expect(isCallbackCookie(name)).toBe(true);
    expect(isCallbackCookie('session')).toBe(false);
  });
});
