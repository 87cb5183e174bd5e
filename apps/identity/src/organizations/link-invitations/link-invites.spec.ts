import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { LinkInvitesEvent } from './link-invites.events.js';
import { changeRole, createLink, deleteLink, linkInvites } from './link-invites.js';

const created: LinkInvitesEvent = { type: 'LinkInviteCreated', data: { invite: 'i', role: 'edit' } };
const deleted: LinkInvitesEvent = { type: 'LinkInviteDeleted', data: { invite: 'i' } };
const changed: LinkInvitesEvent = { type: 'LinkInviteRoleChanged', data: { invite: 'i', role: null } };

describe('the invitation links of an organization', () => {
  it('are no more than the limit', () => {
    given(linkInvites, [])
      .when((state) => createLink(state, { invite: 'i', terms: { role: 'edit' }, limit: 1 }))
      .then([created]);
    given(linkInvites, [created])
      .when((state) => createLink(state, { invite: 'j', terms: { role: 'edit' }, limit: 1 }))
      .thenFails('limit_reached');
    given(linkInvites, [created, deleted])
      .when((state) => createLink(state, { invite: 'i', terms: { role: 'edit' }, limit: 1 }))
      .then([created]);
  });

  it('can change the role that they give', () => {
    given(linkInvites, [created])
      .when((state) => changeRole(state, { invite: 'i', role: null }))
      .then([changed]);
    given(linkInvites, [created, changed])
      .when((state) => changeRole(state, { invite: 'i', role: null }))
      .then([]);
    given(linkInvites, [created, deleted])
      .when((state) => changeRole(state, { invite: 'i', role: null }))
      .thenFails('not_found');
  });

  it('are deleted once', () => {
    given(linkInvites, [created])
      .when((state) => deleteLink(state, { invite: 'i' }))
      .then([deleted]);
    given(linkInvites, [created, deleted])
      .when((state) => deleteLink(state, { invite: 'i' }))
      .then([]);
  });
});
