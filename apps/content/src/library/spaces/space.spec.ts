import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { SpaceEvent } from './space.events.js';
import { dropStay, dropTeam, give, regive, takeBack } from '../grants/grants.js';
import type { GrantChange, Grants } from '../grants/index.js';
import { changeGrants, configure, create, followSource, space, transferTo } from './space.js';

const settings = { organization: 'o', title: 'Handbook', emoji: null, language: null, editMode: 'locked' } as const;
const created: SpaceEvent = { type: 'SpaceCreated', data: settings };
const toUser = (user: string, level: 'read' | 'create' | 'admin' | null, membership = `m-${user}`): SpaceEvent => ({
  type: 'SpaceUserGrantGiven',
  data: { user, membership, level },
});
const toTeam = (team: string, level: 'read' | 'admin'): SpaceEvent => ({
  type: 'SpaceTeamGrantGiven',
  data: { team, level },
});
const holder = (user: string) => ({ user, membership: `m-${user}` });
const grants = (decide: (state: Grants) => GrantChange[]) => (state: Parameters<typeof changeGrants>[0]) =>
  changeGrants(state, 'o', decide);
const admin = { own: 'admin', limit: 3 } as const;
const history = [created, toUser('ann', 'admin')];

describe('a space', () => {
  it('is created once, with its creator as admin', () => {
    const input = { ...settings, creator: holder('ann') };
    given(space, [])
      .when((state) => create(state, input))
      .then(history);
    given(space, history)
      .when((state) => create(state, input))
      .thenFails('already_exists');
  });

  it('belongs to another organization once it is transferred, and grants nothing any more', () => {
    const transferred: SpaceEvent = { type: 'SpaceTransferred', data: { organization: 'p' } };
    given(space, history)
      .when((state) => transferTo(state, 'p'))
      .then([transferred]);
    given(space, [...history, transferred])
      .when((state) => transferTo(state, 'p'))
      .then([]);
    given(space, [])
      .when((state) => transferTo(state, 'p'))
      .then([]);
    given(space, [...history, transferred])
      .when(grants((known) => give(known, { holders: [holder('bob')], level: 'read', ...admin })))
      .thenFails('not_found');
    given(space, [...history, transferred])
      .when((state) =>
        changeGrants(state, 'p', (known) => give(known, { holders: [holder('ann')], level: 'admin', ...admin })),
      )
      .then([toUser('ann', 'admin')]);
  });

  it('records each setting that differs', () => {
    given(space, history)
      .when((state) => configure(state, { title: 'Handbook', editMode: 'live', defaultLevel: null, mergeRules: [] }))
      .then([
        { type: 'SpaceUnlocked', data: {} },
        { type: 'SpaceMergeRulesChanged', data: { rules: [] } },
        { type: 'SpaceDefaultLevelChanged', data: { level: null } },
      ]);
    given(space, [])
      .when((state) => configure(state, { title: 'x' }))
      .thenFails('not_found');
  });

  it('has an emoji or an icon', () => {
    given(space, [...history, { type: 'SpaceEmojiChanged', data: { emoji: '1f600' } }])
      .when((state) => configure(state, { icon: 'https://x.example/i.png' }))
      .then([
        { type: 'SpaceEmojiChanged', data: { emoji: null } },
        { type: 'SpaceIconChanged', data: { icon: 'https://x.example/i.png' } },
      ]);
  });
});

describe('grants of a space', () => {
  it('are given up to the own level, and not twice', () => {
    const holders = [holder('bob'), { team: 't' }];
    given(space, history)
      .when(grants((state) => give(state, { ...admin, holders, level: 'read' })))
      .then([toUser('bob', 'read'), toTeam('t', 'read')]);
    given(space, [...history, toUser('bob', 'read'), toTeam('t', 'read')])
      .when(grants((state) => give(state, { ...admin, holders, level: 'read' })))
      .then([]);
    given(space, history)
      .when(grants((state) => give(state, { ...admin, own: 'create', holders, level: 'admin' })))
      .thenFails('forbidden');
  });

  it('that are above the own level are not changed', () => {
    const below = { own: 'create', limit: 3 } as const;
    given(space, history)
      .when(grants((state) => regive(state, { ...below, holder: holder('ann'), level: 'read' })))
      .thenFails('forbidden');
    given(space, history)
      .when(grants((state) => takeBack(state, { holder: holder('ann'), own: 'create' })))
      .thenFails('forbidden');
  });

  it('of an earlier stay are none', () => {
    const before = [created, toUser('bob', 'admin', 'earlier')];
    given(space, before)
      .when(grants((state) => takeBack(state, { holder: holder('bob'), own: 'admin' })))
      .then([]);
    given(space, before)
      .when(grants((state) => regive(state, { ...admin, holder: holder('bob'), level: 'read' })))
      .thenFails('not_found');
    given(space, before)
      .when(grants((state) => give(state, { ...admin, own: 'create', holders: [holder('bob')], level: 'read' })))
      .then([toUser('bob', 'read')]);
  });

  it('are bounded; a limit that was lowered lets present ones be changed', () => {
    const full = [...history, toUser('bob', 'read'), toTeam('t', 'read')];
    given(space, full)
      .when(grants((state) => give(state, { ...admin, holders: [holder('cleo')], level: 'read' })))
      .thenFails('limit_reached');
    given(space, full)
      .when(grants((state) => give(state, { own: 'admin', limit: 1, holders: [holder('bob')], level: 'create' })))
      .then([toUser('bob', 'create')]);
  });

  it('end with the stay, or the team, that they were given to', () => {
    const removed: SpaceEvent = { type: 'SpaceUserGrantRemoved', data: { user: 'bob' } };
    given(space, [created, toUser('bob', null)])
      .when(grants((state) => dropStay(state, holder('bob'))))
      .then([removed]);
    given(space, [created, toUser('bob', null)])
      .when(grants((state) => dropStay(state, { user: 'bob', membership: 'earlier' })))
      .then([]);
    given(space, [created, toTeam('t', 'admin')])
      .when(grants((state) => dropTeam(state, { team: 't' })))
      .then([{ type: 'SpaceTeamGrantRemoved', data: { team: 't' } }]);
    expect(given(space, [created, toUser('bob', null), removed]).state).toMatchObject({
      grants: { users: { size: 0 } },
    });
  });
});

describe('the result of a translation', () => {
  const translation = 't1';
  const result: SpaceEvent[] = [created, { type: 'SpaceHeld', data: { translation } }];
  const level = (to: 'read' | null): SpaceEvent => ({ type: 'SpaceDefaultLevelChanged', data: { level: to } });
  const source = (...events: SpaceEvent[]) => given(space, [created, ...events]).state;
  const follow = (other: ReturnType<typeof source>, part?: Parameters<typeof followSource>[2]['part']) => {
    return (state: Parameters<typeof followSource>[0]) => followSource(state, other, { translation, part });
  };

  it('grants what its source does, and nothing else', () => {
    const other = source(level(null), toUser('ann', 'read'), toUser('bob', null), toTeam('t', 'read'));
    given(space, result)
      .when(follow(other))
      .then([level(null), toUser('ann', 'read'), toUser('bob', null), toTeam('t', 'read')]);
    given(space, [...result, level(null), toUser('ann', 'admin'), toUser('cleo', 'read'), toTeam('t', 'read')])
      .when(follow(other))
      .then([toUser('ann', 'read'), toUser('bob', null), { type: 'SpaceUserGrantRemoved', data: { user: 'cleo' } }]);
  });

  it('follows a change of one part alone', () => {
    const own = [...result, toUser('cleo', 'read'), toUser('ann', 'read'), toTeam('t', 'read')];
    given(space, own)
      .when(follow(source(level('read'), toUser('ann', 'admin')), 'defaultLevel'))
      .then([level('read')]);
    given(space, own)
      .when(follow(source(), { user: 'ann' }))
      .then([{ type: 'SpaceUserGrantRemoved', data: { user: 'ann' } }]);
    given(space, own)
      .when(follow(source(), { team: 't' }))
      .then([{ type: 'SpaceTeamGrantRemoved', data: { team: 't' } }]);
  });

  it('follows nothing once it is a space like others, or its source is gone or elsewhere', () => {
    const other = source(level(null));
    given(space, [...result, { type: 'SpaceReleased', data: {} }])
      .when(follow(other))
      .then([]);
    given(space, result)
      .when(follow({ status: 'absent' }))
      .then([]);
    given(space, result)
      .when(follow(source(level(null), { type: 'SpaceTransferred', data: { organization: 'p' } })))
      .then([]);
  });
});
