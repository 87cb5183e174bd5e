import { describe, expect, it } from '@jest/globals';
import { parseKeyring } from '@scriptorium/platform';
import { mailboxOf } from '../../mail/mail-files.store.js';
import { inviteeId } from './send-invite.process.js';

describe('the keyed names of an address', () => {
  const keys = parseKeyring(
    ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','),
  );

  it('stay the same in every version, since stored names depend on them', () => {
    const names = [
      inviteeId({ keys }, { organization: 'org', email: 'ann@example.org' }),
      mailboxOf({ keys }, 'Ann@Example.org'),
    ];
    expect(names).toEqual(['ia66oTmwkW75hmOnfLCh', 'wKm377zQGmPduPoZT2X']);
  });
});
