import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { InviteEvent } from './invite.events.js';
import { accept, invite, send } from './invite.js';

const terms = { organization: 'o', email: 'zoe@example.com', role: 'read', sso: false } as const;
const invited: InviteEvent = { type: 'MemberInvited', data: terms };
const accepted: InviteEvent = { type: 'InviteAccepted', data: { user: 'zoe' } };

describe('an invitation', () => {
  it('is sent again only on other terms, or after it was accepted', () => {
    given(invite, []).when((state) => send(state, terms)).then([invited]);
    given(invite, [invited]).when((state) => send(state, terms)).then([]);
    given(invite, [invited]).when((state) => send(state, { ...terms, role: null })).then([{ type: 'MemberInvited', data: { ...terms, role: null } }]);
    given(invite, [invited, accepted]).when((state) => send(state, terms)).then([invited]);
  });

  it('is accepted once', () => {
    given(invite, [invited]).when((state) => accept(state, { user: 'zoe' })).then([accepted]);
    given(invite, [invited, accepted]).when((state) => accept(state, { user: 'zoe' })).then([]);
    given(invite, []).when((state) => accept(state, { user: 'zoe' })).then([]);
  });
});
