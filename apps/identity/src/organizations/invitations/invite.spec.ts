import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { InviteEvent } from '../../events/invite.events.js';
import { accept, invite, revoke, send } from './invite.js';
import type { InviteeEvent } from './invitee.events.js';
import { close, invitee, open } from './invitee.js';

const terms = { organization: 'o', email: 'zoe@example.com', role: 'read', sso: false } as const;
const invited: InviteEvent = { type: 'MemberInvited', data: terms };
const accepted: InviteEvent = { type: 'InviteAccepted', data: { user: 'zoe' } };

describe('an invitation', () => {
  it('is sent again only with other terms, and not after it was accepted', () => {
    given(invite, [])
      .when((state) => send(state, terms))
      .then([invited]);
    given(invite, [invited])
      .when((state) => send(state, terms))
      .then([]);
    given(invite, [invited])
      .when((state) => send(state, { ...terms, role: null }))
      .then([{ type: 'MemberInvited', data: { ...terms, role: null } }]);
    given(invite, [invited, accepted])
      .when((state) => send(state, terms))
      .thenFails('not_found');
  });

  it('is accepted once', () => {
    given(invite, [invited])
      .when((state) => accept(state, { user: 'zoe' }))
      .then([accepted]);
    given(invite, [invited, accepted])
      .when((state) => accept(state, { user: 'zoe' }))
      .then([]);
    given(invite, [])
      .when((state) => accept(state, { user: 'zoe' }))
      .then([]);
  });
});

describe('a revoked invitation', () => {
  const revoked: InviteEvent = { type: 'InviteRevoked', data: {} };

  it('can be neither accepted nor sent again', () => {
    given(invite, [invited]).when(revoke).then([revoked]);
    given(invite, [invited, revoked]).when(revoke).then([]);
    given(invite, [invited, accepted]).when(revoke).then([]);
    given(invite, []).when(revoke).then([]);
    given(invite, [invited, revoked])
      .when((state) => accept(state, { user: 'zoe' }))
      .then([]);
    given(invite, [invited, revoked])
      .when((state) => send(state, terms))
      .thenFails('not_found');
  });
});

describe('an invited address', () => {
  const opened = (id: string): InviteeEvent => ({ type: 'InviteOpened', data: { invite: id } });
  const closed = (id: string): InviteeEvent => ({ type: 'InviteClosed', data: { invite: id } });

  it('has one open invitation at a time', () => {
    given(invitee, [])
      .when((state) => open(state, { invite: 'i' }))
      .then([opened('i')]);
    given(invitee, [opened('i')])
      .when((state) => open(state, { invite: 'j' }))
      .then([]);
    given(invitee, [opened('i'), closed('i')])
      .when((state) => open(state, { invite: 'j' }))
      .then([opened('j')]);
  });

  it('closes an invitation only if it is the open one', () => {
    given(invitee, [opened('i')])
      .when((state) => close(state, { invite: 'i' }))
      .then([closed('i')]);
    given(invitee, [opened('i'), closed('i'), opened('j')])
      .when((state) => close(state, { invite: 'i' }))
      .then([]);
    given(invitee, [opened('i'), closed('i'), opened('j'), closed('i')])
      .when((state) => open(state, { invite: 'k' }))
      .then([]);
    given(invitee, [])
      .when((state) => close(state, { invite: 'i' }))
      .then([]);
  });
});
