import { describe, it } from '@jest/globals';
import type { MemberRole } from '@scriptorium/contracts';
import { given } from '@scriptorium/event-sourcing/testing';
import { removeErasedMember } from './remove-erased-member.js';
import type { RosterEvent } from '../../events/roster.events.js';
import { roster } from './roster.js';

const opened: RosterEvent = { type: 'RosterOpened', data: { organization: 'o' } };
const closed: RosterEvent = { type: 'RosterClosed', data: {} };
const joined = (user: string, role: MemberRole | null): RosterEvent => ({
  type: 'MemberJoined',
  data: { user, membership: `m-${user}`, role, via: 'invite' },
});
const disabled = (user: string): RosterEvent => ({ type: 'MemberDisabled', data: { user } });
const promoted = (user: string): RosterEvent => ({ type: 'MemberRoleChanged', data: { user, role: 'admin' } });
const removed = (user: string): RosterEvent => ({ type: 'MemberRemoved', data: { user, membership: `m-${user}` } });

describe('an organization from which somebody is erased', () => {
  const events = [opened, joined('ann', 'admin'), joined('zoe', 'review'), joined('bob', 'read'), joined('gus', null)];
  const dismissed = (given_: RosterEvent[], user: string) =>
    given(roster, given_).when((state) => removeErasedMember(state, { user }));

  it('continues without the erased person', () => {
    dismissed(events, 'bob').then([removed('bob')]);
    dismissed([...events, joined('cleo', 'admin')], 'ann').then([removed('ann')]);
    dismissed(events, 'dan').then([]);
    dismissed([], 'ann').then([]);
    dismissed([...events, closed], 'ann').then([]);
  });

  it('keeps an admin: of the members the one with the highest role, of several the first by id', () => {
    dismissed(events, 'ann').then([promoted('zoe'), removed('ann')]);
    dismissed([...events, joined('max', 'review')], 'ann').then([promoted('max'), removed('ann')]);
    dismissed([opened, joined('ann', 'admin'), joined('gus', null)], 'ann').then([promoted('gus'), removed('ann')]);
    dismissed([...events, joined('cleo', 'admin'), disabled('cleo')], 'ann').then([promoted('zoe'), removed('ann')]);
  });

  it('ends when nobody is left who can sign in', () => {
    dismissed([opened, joined('ann', 'admin')], 'ann').then([closed, removed('ann')]);
    dismissed([opened, joined('ann', 'admin'), joined('bob', 'edit'), disabled('bob')], 'ann').then([
      closed,
      removed('ann'),
    ]);
  });
});
