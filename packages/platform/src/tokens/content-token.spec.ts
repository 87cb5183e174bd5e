import { describe, expect, it } from '@jest/globals';
import type { ContentTokenPayload } from '@scriptorium/contracts';
import { SignJWT } from 'jose';
import { parseKeyring } from '../process/keyring.js';
import { issueContentToken, looksLikeContentToken, verifyContentToken } from './signed-tokens.js';

const keyring = (...ids: string[]) =>
  parseKeyring([...ids, 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join());
const keys = keyring('k1');
const payload: ContentTokenPayload = {
  kind: 'site',
  organization: 'o',
  site: 's',
  space: 'p',
  spaces: ['p'],
  claims: { plan: 'paid' },
  visitorType: 'agent',
  generation: 1,
};
const now = 1_800_000_000_000;

describe('a content token', () => {
  it('is verified for an hour, by the keys that the installation has, old ones too', async () => {
    const token = issueContentToken(keys, payload, { id: 't1', now });
    expect(looksLikeContentToken(token)).toBe(true);
    const expected = { id: 't1', payload, expiresAt: now + 3_600_000 };
    expect(await verifyContentToken(keys, token, now)).toEqual(expected);
    expect(await verifyContentToken(keyring('k2', 'k1'), token, now + 3_599_000)).toEqual(expected);
    expect(await verifyContentToken(keys, token, now + 3_600_000)).toBeNull();
    const short = issueContentToken(keys, payload, { id: 't2', now, until: now / 1_000 + 5 });
    expect((await verifyContentToken(keys, short, now))?.expiresAt).toBe(now + 5_000);
    expect(await verifyContentToken(keyring('k2'), token, now)).toBeNull();
  });

  it('is not made of a token of another kind, whoever has signed it, nor of anything else', async () => {
    const key = keys.key('content-token') ?? new Uint8Array();
    const signed = (header: object, claims: object = payload) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', kid: 'k1', ...header })
        .setJti('t')
        .setExpirationTime(now / 1_000 + 60)
        .sign(key);
    expect(await verifyContentToken(keys, await signed({ typ: 'scriptorium-content+jwt' }), now)).not.toBeNull();
    for (const token of [
      await signed({}),
      await signed({ typ: 'scriptorium-preview+jwt' }),
      await signed({ typ: 'scriptorium-content+jwt', kid: 'unknown' }),
      await signed({ typ: 'scriptorium-content+jwt' }, { ...payload, site: '../x' }),
      'eyJ.e30.x',
      '',
    ])
      expect(await verifyContentToken(keys, token, now)).toBeNull();
    expect(['scr_pat_1', 'eyJx', 'eyJa.b', 'a.b.c'].some(looksLikeContentToken)).toBe(false);
  });
});
