import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { TeamEvent } from '../events/team.events.js';
import { changeMembers, create, endMembership, remove, removeMember, rename, team } from './team.js';

const created: TeamEvent = { type: 'TeamCreated', data: { organization: 'o', title: 'Writers' } };
const added = (user: string, role: 'owner' | 'member' = 'member', membership = `m-${user}`): TeamEvent => ({
  type: 'TeamMemberAdded',
  data: { user, membership, role },
});
const removed = (user: string): TeamEvent => ({ type: 'TeamMemberRemoved', data: { user, membership: `m-${user}` } });
const candidate = (user: string, role?: 'owner' | 'member') => ({ user, membership: `m-${user}`, role });

const limit = 5;
const admin = { user: 'boss', admin: true };
const owner = { user: 'ann', admin: false };
const owned = [created, added('ann', 'owner'), added('bob')];

describe('a team', () => {
  it('is created once, with its members', () => {
    const input = { organization: 'o', title: 'Writers', members: [candidate('ann')], limit };
    given(team, [])
      .when((state) => create(state, input))
      .then([created, added('ann')]);
    given(team, [created])
      .when((state) => create(state, input))
      .thenFails('already_exists');
  });

  // #region rename
  it('is renamed by an admin or an owner', () => {
    const renamed: TeamEvent = { type: 'TeamRenamed', data: { title: 'Editors' } };
    given(team, owned)
      .when((state) => rename(state, { title: 'Editors', by: admin }))
      .then([renamed]);
    given(team, owned)
      .when((state) => rename(state, { title: 'Editors', by: owner }))
      .then([renamed]);
    given(team, owned)
      .when((state) => rename(state, { title: 'Writers', by: owner }))
      .then([]);
    given(team, owned)
      .when((state) => rename(state, { title: 'X', by: { user: 'bob', admin: false } }))
      .thenFails('forbidden');
    given(team, [])
      .when((state) => rename(state, { title: 'X', by: admin }))
      .thenFails('not_found');
  });
  // #endregion

  it('is deleted once and then refuses changes', () => {
    const gone: TeamEvent = { type: 'TeamDeleted', data: {} };
    given(team, owned).when(remove).then([gone]);
    given(team, [...owned, gone])
      .when(remove)
      .then([]);
    given(team, [...owned, gone])
      .when((state) => rename(state, { title: 'X', by: admin }))
      .thenFails('not_found');
    given(team, [...owned, gone])
      .when((state) => create(state, { organization: 'o', title: 'X', members: [], limit }))
      .thenFails('already_exists');
  });
});

describe('the members of a team', () => {
  it('can be added and given another role, and keep theirs when they are added again', () => {
    const put = [candidate('bob'), candidate('cleo'), candidate('ann', 'member')];
    given(team, owned)
      .when((state) => changeMembers(state, { put, remove: [], by: admin, limit }))
      .then([added('cleo'), { type: 'TeamMemberRoleChanged', data: { user: 'ann', role: 'member' } }]);
  });

  it('are removed when one request both adds and removes them', () => {
    given(team, owned)
      .when((state) =>
        changeMembers(state, {
          put: [candidate('bob', 'owner'), candidate('cleo')],
          remove: ['bob', 'cleo'],
          by: admin,
          limit,
        }),
      )
      .then([removed('bob')]);
  });

  it('become owners by admins only', () => {
    const put = [candidate('bob', 'owner')];
    given(team, owned)
      .when((state) => changeMembers(state, { put, remove: [], by: owner, limit }))
      .thenFails('forbidden');
    given(team, owned)
      .when((state) => changeMembers(state, { put, remove: [], by: admin, limit }))
      .then([{ type: 'TeamMemberRoleChanged', data: { user: 'bob', role: 'owner' } }]);
  });

  it('can leave, and can be removed by who manages the team', () => {
    given(team, owned)
      .when((state) => removeMember(state, { user: 'bob', by: { user: 'bob', admin: false } }))
      .then([removed('bob')]);
    given(team, owned)
      .when((state) => removeMember(state, { user: 'bob', by: owner }))
      .then([removed('bob')]);
    given(team, owned)
      .when((state) => removeMember(state, { user: 'ann', by: { user: 'bob', admin: false } }))
      .thenFails('forbidden');
    given(team, owned)
      .when((state) => removeMember(state, { user: 'zoe', by: admin }))
      .then([]);
  });

  it('are no more than the limit', () => {
    const crowd = Array.from({ length: 6 }, (_, i) => candidate(`u${i}`));
    given(team, [created])
      .when((state) => changeMembers(state, { put: crowd, remove: [], by: admin, limit }))
      .thenFails('limit_reached');
    given(team, [])
      .when((state) => create(state, { organization: 'o', title: 'X', members: crowd, limit }))
      .thenFails('limit_reached');
    const strangers = crowd.map((_, i) => `stranger${i}`);
    given(team, [created])
      .when((state) => changeMembers(state, { put: crowd, remove: strangers, by: admin, limit }))
      .thenFails('limit_reached');
  });

  it('can be changed, exchanged and removed also when a lowered limit is exceeded', () => {
    const change = (put: ReturnType<typeof candidate>[], remove: string[]) =>
      given(team, owned).when((state) => changeMembers(state, { put, remove, by: admin, limit: 1 }));
    change([candidate('bob', 'owner')], []).then([
      { type: 'TeamMemberRoleChanged', data: { user: 'bob', role: 'owner' } },
    ]);
    change([candidate('cleo')], ['bob']).then([added('cleo'), removed('bob')]);
    change([], ['bob']).then([removed('bob')]);
    change([candidate('cleo')], []).thenFails('limit_reached');
  });

  it('are removed with the membership that they joined with, not with an earlier one', () => {
    given(team, owned)
      .when((state) => endMembership(state, { user: 'bob', membership: 'm-bob' }))
      .then([removed('bob')]);
    given(team, owned)
      .when((state) => endMembership(state, { user: 'bob', membership: 'earlier' }))
      .then([]);
  });

  it('are added anew when they come back to the organization with a new membership', () => {
    given(team, owned)
      .when((state) =>
        changeMembers(state, { put: [{ user: 'bob', membership: 'again' }], remove: [], by: admin, limit }),
      )
      .then([removed('bob'), added('bob', 'member', 'again')]);
  });
});
