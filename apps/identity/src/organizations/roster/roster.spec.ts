import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { RosterEvent } from '../../events/roster.events.js';
import {
  acceptMembership,
  changeRole,
  close,
  detachMember,
  removeRemainingMembers,
  join,
  linkIdentity,
  markForSSO,
  open,
  recordAccountKind,
  removeMember,
  setDisabled,
} from './memberships.js';
import { roster } from './roster.js';

const opened: RosterEvent = { type: 'RosterOpened', data: { organization: 'o' } };
const joined = (user: string, role: 'admin' | 'read' | null): RosterEvent => ({
  type: 'MemberJoined',
  data: { user, membership: `m-${user}`, role, via: 'invite' },
});
const demoted = (user: string): RosterEvent => ({ type: 'MemberRoleChanged', data: { user, role: 'read' } });
const removed = (user: string): RosterEvent => ({ type: 'MemberRemoved', data: { user, membership: `m-${user}` } });

const dan = { user: 'dan', membership: 'm-dan', role: 'read', via: 'invite', organizations: 1 } as const;
const limits = { membersPerOrganization: 3, organizationsPerUser: 2 };
const one = [opened, joined('ann', 'admin'), joined('bob', 'read')];
const two = [...one, joined('cleo', 'admin')];

describe('a roster', () => {
  it('is opened once, with the creator as admin', () => {
    const input = { organization: 'o', creator: 'ann', membership: 'm1' };
    const founder: RosterEvent = {
      type: 'MemberJoined',
      data: { user: 'ann', membership: 'm1', role: 'admin', via: 'creation' },
    };
    given(roster, [])
      .when((state) => open(state, input))
      .then([opened, founder]);
    given(roster, one)
      .when((state) => open(state, input))
      .then([]);
  });

  it('adds each person once', () => {
    given(roster, one)
      .when((state) => join(state, { people: [dan], limits }))
      .then([joined('dan', 'read')]);
    given(roster, one)
      .when((state) => join(state, { people: [{ ...dan, user: 'bob' }, dan], limits }))
      .then([joined('dan', 'read')]);
    given(roster, [])
      .when((state) => join(state, { people: [dan], limits }))
      .thenFails('not_found');
  });

  it('records the kind of the account of a member, when they join or later', () => {
    const bot: RosterEvent = {
      type: 'MemberJoined',
      data: { user: 'dan', membership: 'm-dan', role: 'read', via: 'invite', kind: 'service' },
    };
    given(roster, one)
      .when((state) => join(state, { people: [{ ...dan, kind: 'service' }], limits }))
      .then([bot]);
    given(roster, [])
      .when((state) => open(state, { organization: 'o', creator: 'ann', membership: 'm1', kind: 'person' }))
      .then([
        opened,
        {
          type: 'MemberJoined',
          data: { user: 'ann', membership: 'm1', role: 'admin', via: 'creation', kind: 'person' },
        },
      ]);
    const recorded = { user: 'bob', membership: 'm-bob', kind: 'service' as const };
    given(roster, one)
      .when((state) => recordAccountKind(state, recorded))
      .then([{ type: 'MemberAccountKindRecorded', data: recorded }]);
    given(roster, one)
      .when((state) => recordAccountKind(state, { ...recorded, membership: 'earlier' }))
      .then([]);
  });

  it('refuses more members than its limit and people in too many organizations, but not those who are members already', () => {
    const eve = { ...dan, user: 'eve', membership: 'm-eve' };
    given(roster, one)
      .when((state) => join(state, { people: [dan, eve], limits }))
      .thenFails('limit_reached');
    const busy = { ...dan, organizations: 2 };
    given(roster, one)
      .when((state) => join(state, { people: [busy], limits }))
      .thenFails('limit_reached');
    given(roster, [...one, joined('dan', 'read')])
      .when((state) => join(state, { people: [busy], limits }))
      .then([]);
    // Also with a lowered limit, since the invitation of a person who is already a member must be completed.
    const lowered = { ...limits, membersPerOrganization: 1 };
    given(roster, [...one, joined('dan', 'read')])
      .when((state) => join(state, { people: [busy], limits: lowered }))
      .then([]);
  });

  it('lets only an admin add people, when somebody asks for it', () => {
    const people = [dan];
    given(roster, two)
      .when((state) => join(state, { people, limits: { ...limits, membersPerOrganization: 4 }, by: 'cleo' }))
      .then([joined('dan', 'read')]);
    given(roster, [...two, demoted('cleo')])
      .when((state) => join(state, { people, limits: { ...limits, membersPerOrganization: 4 }, by: 'cleo' }))
      .thenFails('forbidden');
  });

  it('adds a person again who has left', () => {
    const input = { user: 'bob', membership: 'm2', role: null, via: 'invite' } as const;
    const people = [{ ...input, organizations: 0 }];
    given(roster, [...one, removed('bob')])
      .when((state) => join(state, { people, limits }))
      .then([{ type: 'MemberJoined', data: input }]);
  });

  it('lets admins alone change roles', () => {
    given(roster, two)
      .when((state) => changeRole(state, { user: 'cleo', role: 'read', by: 'ann' }))
      .then([demoted('cleo')]);
    given(roster, two)
      .when((state) => changeRole(state, { user: 'bob', role: 'read', by: 'ann' }))
      .then([]);
    given(roster, two)
      .when((state) => changeRole(state, { user: 'ann', role: 'read', by: 'bob' }))
      .thenFails('forbidden');
    given(roster, two)
      .when((state) => changeRole(state, { user: 'zoe', role: 'read', by: 'ann' }))
      .thenFails('not_found');
  });

  it('always keeps an active admin', () => {
    given(roster, one)
      .when((state) => changeRole(state, { user: 'ann', role: 'read', by: 'ann' }))
      .thenFails('last_admin');
    given(roster, one)
      .when((state) => removeMember(state, { user: 'ann', by: 'ann' }))
      .thenFails('last_admin');
    given(roster, [...two, demoted('cleo')])
      .when((state) => removeMember(state, { user: 'ann', by: 'ann' }))
      .thenFails('last_admin');
    given(roster, [...two, { type: 'MemberDisabled', data: { user: 'cleo' } }])
      .when((state) => changeRole(state, { user: 'ann', role: null, by: 'ann' }))
      .thenFails('last_admin');
  });

  it('lets admins disable and enable members', () => {
    const off: RosterEvent = { type: 'MemberDisabled', data: { user: 'bob' } };
    const disable = { user: 'bob', disabled: true, by: 'ann' };
    given(roster, one)
      .when((state) => setDisabled(state, disable))
      .then([off]);
    given(roster, [...one, off])
      .when((state) => setDisabled(state, disable))
      .then([]);
    given(roster, [...one, off])
      .when((state) => setDisabled(state, { ...disable, disabled: false }))
      .then([{ type: 'MemberEnabled', data: { user: 'bob' } }]);
    given(roster, one)
      .when((state) => setDisabled(state, { ...disable, by: 'bob' }))
      .thenFails('forbidden');
    given(roster, one)
      .when((state) => setDisabled(state, { ...disable, user: 'zoe' }))
      .thenFails('not_found');
    given(roster, one)
      .when((state) => setDisabled(state, { ...disable, user: 'ann' }))
      .thenFails('last_admin');
  });

  it('refuses decisions of an admin who was demoted in the meantime', () => {
    given(roster, [...two, demoted('cleo')])
      .when((state) => changeRole(state, { user: 'ann', role: 'read', by: 'cleo' }))
      .thenFails('forbidden');
  });

  it('lets members leave, and lets admins remove them', () => {
    given(roster, two)
      .when((state) => removeMember(state, { user: 'bob', by: 'bob' }))
      .then([removed('bob')]);
    given(roster, two)
      .when((state) => removeMember(state, { user: 'bob', by: 'cleo' }))
      .then([removed('bob')]);
    given(roster, two)
      .when((state) => removeMember(state, { user: 'ann', by: 'bob' }))
      .thenFails('forbidden');
    given(roster, two)
      .when((state) => removeMember(state, { user: 'zoe', by: 'ann' }))
      .then([]);
    given(roster, [])
      .when((state) => removeMember(state, { user: 'zoe', by: 'ann' }))
      .then([]);
  });

  it('lets admins mark members for single sign-on when a provider is available', () => {
    const marked: RosterEvent = { type: 'MemberMarkedForSSO', data: { user: 'bob' } };
    const mark = { user: 'bob', by: 'ann', available: true };
    given(roster, two)
      .when((state) => markForSSO(state, mark))
      .then([marked]);
    given(roster, [...two, marked])
      .when((state) => markForSSO(state, mark))
      .then([]);
    given(roster, two)
      .when((state) => markForSSO(state, { ...mark, available: false }))
      .thenFails('sso_unavailable');
    given(roster, two)
      .when((state) => markForSSO(state, { ...mark, by: 'bob' }))
      .thenFails('forbidden');
    given(roster, two)
      .when((state) => markForSSO(state, { ...mark, user: 'zoe' }))
      .thenFails('not_found');
    const joining: RosterEvent = {
      type: 'MemberJoined',
      data: { user: 'dan', membership: 'm-dan', role: 'read', via: 'invite', sso: true },
    };
    given(roster, one)
      .when((state) => join(state, { people: [{ ...dan, sso: true }], limits }))
      .then([joining]);
    given(roster, [...one, joining])
      .when((state) => markForSSO(state, { ...mark, user: 'dan' }))
      .then([]);
  });

  it('ends all memberships when it is closed, and records the removals in parts of 500', () => {
    const closed: RosterEvent = { type: 'RosterClosed', data: {} };
    const all = [removed('bob'), removed('ann')];
    const outcome = given(roster, one).when((state) =>
      [...close(state, { by: 'ann' })].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? 1 : -1)),
    );
    outcome.then([closed, ...all]);
    given(roster, two)
      .when((state) => close(state, { by: 'bob' }))
      .thenFails('forbidden');
    const over = [...one, closed, removed('bob')];
    given(roster, over)
      .when(removeRemainingMembers)
      .then([removed('ann')]);
    given(roster, [...over, removed('ann')])
      .when(removeRemainingMembers)
      .then([]);
    given(roster, one).when(removeRemainingMembers).then([]);
    given(roster, over)
      .when((state) => close(state, { by: 'ann' }))
      .then([]);
    given(roster, over)
      .when((state) => join(state, { people: [dan], limits }))
      .thenFails('not_found');
    given(roster, over)
      .when((state) => open(state, { organization: 'o', creator: 'ann', membership: 'm' }))
      .then([]);
    given(roster, over)
      .when((state) => changeRole(state, { user: 'ann', role: 'read', by: 'ann' }))
      .thenFails('not_found');
    given(roster, over)
      .when((state) => removeMember(state, { user: 'ann', by: 'ann' }))
      .then([]);
    const crowd = Array.from({ length: 1_200 }, (_, i) => joined(`u${i}`, 'read'));
    given(roster, [opened, joined('ann', 'admin'), ...crowd])
      .when((state) => close(state, { by: 'ann' }).slice(501))
      .then([]);
    given(roster, [opened, joined('ann', 'admin'), ...crowd, closed])
      .when((state) => removeRemainingMembers(state).slice(500))
      .then([]);
  });
});

describe('an identity at a provider', () => {
  const linked = (user: string, identity = 'x', provider = 'p'): RosterEvent => ({
    type: 'MemberIdentityLinked',
    data: { user, provider, identity, own: false },
  });
  const input = (user: string, identity = 'x', provider = 'p') =>
    ({
      provider,
      identity,
      joining: { user, membership: `m-${user}`, role: 'read', via: 'saml', organizations: 1 },
      limits,
      own: false,
    }) as const;
  const came: RosterEvent = {
    type: 'MemberJoined',
    data: { user: 'dan', membership: 'm-dan', role: 'read', via: 'saml' },
  };

  it('belongs to one person, who becomes a member by it', () => {
    given(roster, one)
      .when((state) => linkIdentity(state, input('dan')))
      .then([came, linked('dan')]);
    given(roster, one)
      .when((state) => linkIdentity(state, input('bob')))
      .then([linked('bob')]);
    given(roster, [...one, linked('bob')])
      .when((state) => linkIdentity(state, input('bob')))
      .then([]);
    given(roster, [...one, linked('bob')])
      .when((state) => linkIdentity(state, input('dan')))
      .thenFails('already_exists');
    given(roster, [...one, linked('bob')])
      .when((state) => linkIdentity(state, input('ann', 'x', 'q')))
      .then([linked('ann', 'x', 'q')]);
  });

  it('is replaced by the next identity of the same member and provider, and ends with the membership', () => {
    given(roster, [...one, linked('bob'), linked('bob', 'y')])
      .when((state) => linkIdentity(state, input('ann')))
      .then([linked('ann')]);
    given(roster, [...one, linked('bob'), linked('bob', 'y')])
      .when((state) => linkIdentity(state, input('ann', 'y')))
      .thenFails('already_exists');
    given(roster, [...one, linked('bob'), removed('bob')])
      .when((state) => linkIdentity(state, input('ann')))
      .then([linked('ann')]);
  });

  it('adds nobody beyond the limits, nobody who is disabled and nobody without a roster', () => {
    given(roster, two)
      .when((state) => linkIdentity(state, input('dan')))
      .thenFails('limit_reached');
    given(roster, [...one, { type: 'MemberDisabled', data: { user: 'bob' } }])
      .when((state) => linkIdentity(state, input('bob')))
      .thenFails('forbidden');
    given(roster, [])
      .when((state) => linkIdentity(state, input('dan')))
      .thenFails('not_found');
  });
});

describe('a member whom an admin has added', () => {
  const added = (user: string, role: 'admin' | 'read'): RosterEvent => ({
    type: 'MemberJoined',
    data: { user, membership: `m-${user}`, role, via: 'invite', unaccepted: true },
  });
  const accepted = (user: string): RosterEvent => ({
    type: 'MemberAccepted',
    data: { user, membership: `m-${user}` },
  });
  const before = [opened, joined('ann', 'admin'), added('bob', 'admin')];

  it('accepts the membership once', () => {
    given(roster, before)
      .when((state) => acceptMembership(state, { user: 'bob' }))
      .then([accepted('bob')]);
    for (const user of ['ann', 'zoe'])
      given(roster, before)
        .when((state) => acceptMembership(state, { user }))
        .then([]);
    given(roster, [...before, accepted('bob')])
      .when((state) => acceptMembership(state, { user: 'bob' }))
      .then([]);
  });

  it('does not count as the last admin before they have accepted', () => {
    given(roster, before)
      .when((state) => removeMember(state, { user: 'ann', by: 'ann' }))
      .thenFails('last_admin');
    given(roster, [...before, accepted('bob')])
      .when((state) => removeMember(state, { user: 'ann', by: 'ann' }))
      .then([removed('ann')]);
    given(roster, before)
      .when((state) => removeMember(state, { user: 'bob', by: 'bob' }))
      .then([removed('bob')]);
  });

  it('accepts by connecting a provider themselves, and that connection counts as their own', () => {
    const input = { provider: 'p', identity: 'x', limits } as const;
    const joining = { user: 'bob', membership: 'm-bob', role: null, via: 'saml', organizations: 1 } as const;
    const connected = (own: boolean): RosterEvent => ({
      type: 'MemberIdentityLinked',
      data: { user: 'bob', provider: 'p', identity: 'x', own },
    });
    given(roster, before)
      .when((state) => linkIdentity(state, { ...input, joining, own: false }))
      .then([connected(false)]);
    given(roster, [...before, connected(false)])
      .when((state) => linkIdentity(state, { ...input, joining, own: true }))
      .then([accepted('bob'), connected(true)]);
    given(roster, [...before, accepted('bob'), connected(true)])
      .when((state) => linkIdentity(state, { ...input, joining, own: false }))
      .then([]);
  });

  it('can be removed by an operator, unless they are the last admin', () => {
    given(roster, before)
      .when((state) => detachMember(state, { user: 'bob' }))
      .then([removed('bob')]);
    given(roster, before)
      .when((state) => detachMember(state, { user: 'zoe' }))
      .then([]);
    given(roster, before)
      .when((state) => detachMember(state, { user: 'ann' }))
      .thenFails('last_admin');
  });
});
