import { describe, expect, it } from '@jest/globals';
import { parseKeyring } from '@scriptorium/platform';
import { mailboxOf } from '../../mail/mail-files.store.js';
import { inviteeId } from './send-invite.process.js';

describe('an address that stands nowhere', () => {
  const keys = parseKeyring(
    ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','),
  );

  it('is found by the names that it always had', () => {
    const names = [
      inviteeId({ keys }, { organization: 'org', email: 'ann@example.org' }),
      mailboxOf({ keys }, 'Ann@Example.org'),
    ];
    expect(names).toEqual(['ia66oTmwkW75hmOnfLCh', 'wKm377zQGmPduPoZT2X']);
  });
});
