import { describe, expect, it } from '@jest/globals';
import { addMember, create, remove, rename, team, teamCount, teamEvents, teamList } from '../test/team.js';
import { readEvent } from '../events/events.js';
import { given, project, redelivered, someMetadata } from '../testing.js';

const created = { type: 'TeamCreated', data: { title: 'Writers', organization: 'o1', colour: 'grey' } } as const;

describe('a domain in given, when, then', () => {
  it('decides on the folded state', () => {
    given(team, [])
      .when((state) => create(state, { title: 'Writers', organization: 'o1' }))
      .then([created]);
    given(team, [created])
      .when((state) => rename(state, { title: 'Editors' }))
      .then([{ type: 'TeamRenamed', data: { title: 'Editors' } }]);
    given(team, [created])
      .when((state) => rename(state, { title: 'Writers' }))
      .then([]);
  });

  it('names the reason of a refusal', () => {
    given(team, [])
      .when((state) => rename(state, { title: 'Editors' }))
      .thenFails('not_found');
    given(team, [created])
      .when((state) => create(state, { title: 'x', organization: 'o' }))
      .thenFails('already_exists');
    given(team, [created, { type: 'TeamDeleted', data: {} }])
      .when((state) => addMember(state, { user: 'u' }))
      .thenFails('not_found');
  });

  it('fails when the decision returns other events', () => {
    expect(() => given(team, [created]).when(remove).then([])).toThrow();
    expect(() => given(team, [created]).when(remove).thenFails('not_found')).toThrow('TeamDeleted');
  });
});

describe('projections in specs', () => {
  const history = [
    { ...created, entityId: 't1' },
    { ...created, entityId: 't2' },
    { type: 'TeamMemberAdded', data: { user: 'u1' }, entityId: 't1' },
    { type: 'TeamRenamed', data: { title: 'Editors' }, entityId: 't1' },
    { type: 'TeamDeleted', data: {}, entityId: 't2' },
    { type: 'SomethingNewer', data: {}, entityId: 't1' },
  ];

  it('folds events into documents', () => {
    expect([...project(teamList, history)]).toEqual([['t1', { title: 'Editors', organization: 'o1', members: 1 }]]);
    expect(project(teamCount, history).get('o1')).toEqual({ teams: 2 });
  });

  it('does not change a document when events are redelivered', () => {
    redelivered(teamList, history);
    redelivered(teamCount, history);
  });
});

describe('event tables', () => {
  const raw = {
    id: 'x',
    stream: 'n.identity.team-t1',
    revision: 0n,
    position: 0n,
    created: new Date(),
    metadata: someMetadata(),
  };

  it('turn events of earlier versions into the present form', () => {
    const read = readEvent(teamEvents, { ...raw, type: 'TeamCreated', data: { title: 'Old', organization: 'o1' } });
    expect(read?.data).toEqual({ title: 'Old', organization: 'o1', colour: 'grey' });
    expect(read?.entityId).toBe('t1');
  });

  it('return null for unknown types, and name events with invalid payloads', () => {
    expect(readEvent(teamEvents, { ...raw, type: 'TeamPainted', data: {} })).toBeNull();
    expect(() => readEvent(teamEvents, { ...raw, type: 'TeamRenamed', data: { title: 1 } })).toThrow(
      'TeamRenamed x (n.identity.team-t1 @ 0)',
    );
  });

  it('can be limited to some types', () => {
    expect(teamEvents.pick('TeamRenamed').types).toEqual(['TeamRenamed']);
  });
});
