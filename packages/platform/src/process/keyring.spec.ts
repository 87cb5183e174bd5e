import { describe, expect, it } from '@jest/globals';
import { parseKeyring } from './keyring.js';

describe('a keyed digest', () => {
  const ring = (current: string) =>
    parseKeyring([current, 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','));

  /** What stands in installations: streams, files and documents are found by these for as long as they live. */
  it.each([
    [['invite', 'org', 'ann@example.org'], 'isr3P67KViTx__Ovn48JcNw1iUylcZw7fj3a9c-dVuU'],
    [['mailbox', 'ann@example.org'], 'yBpn5X3Nhbz7hAWxS8vAiqmASHePXbIPO7hsPlIo5TE'],
    [['tries', 'account', 'ann@example.org'], 'guJQgUiauVXTmSuLhnpF_4TRabEc0StKz_b7pVyKGwY'],
    [['saml', 'p', 'ann@example.org'], 'jfJ1HRXt-cqK-PDEr-eoMuxd5EoW7wyjJ3xgNX9y6ec'],
    [['link invite', 'org', 'idem'], 'DIi4nfIdazpN78oxr_Hb3FIqMAM90BnocOxmsRiyXVE'],
  ] as [[string, ...string[]], string][])(
    'of %j is the same in every version and with every signing key',
    (parts, expected) => {
      for (const current of ['k1', 'k2'])
        expect(
          ring(current)
            .digest(...parts)
            .toString('base64url'),
        ).toBe(expected);
    },
  );

  it('depends on the boundaries of its parts', () => {
    expect(ring('k1').digest('a', 'b')).not.toEqual(ring('k1').digest('ab'));
  });
});
