import { describe, expect, it } from '@jest/globals';
import { project, redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { notifications, type NotificationDocument } from './notification.projection.js';

const time = '2026-01-02T03:04:05.006Z';
const by =
  (user: string, entityId: string, kind: 'user' | 'system' = 'user') =>
  (type: string, data: object, id?: string): SampleEvent => ({
    type,
    data,
    entityId,
    ...(id === undefined ? {} : { id }),
    meta: { organization: 'o', time, actor: { kind, id: user } },
  });
const text = (mentions: string[] = []) => ({ text: 't', bytes: 1, mentions });
const place = { space: 's', changeRequest: null };
const onRequest = { space: 's', changeRequest: 'cr' };
const target = { review: null, page: 'p', node: null, tableCell: null, revision: 'r' };
const posted = (user: string, more: object = {}) =>
  by(user, 'c')('CommentPosted', { ...place, ...target, ...text(), ...more }, 'posted');
const replied = (user: string, reply: string, mentions: string[] = []) =>
  by(user, 'c')('CommentReplyPosted', { ...place, ...text(mentions), reply }, reply);
const requested = by('ann', 'cr')('ChangeRequestCreated', {
  space: 's',
  text: null,
  bytes: 2,
  template: null,
  conversationsIssuesCluster: null,
  agentTask: null,
});
const joined = (user: string, more: object = {}) =>
  by('adm', 'o')('MemberJoined', { user, membership: `m-${user}`, role: 'read', via: 'invite', ...more }, 'joined');

/** The notifications that events make, by id. Each beginning of the events is delivered twice. */
const made = (...events: SampleEvent[]): Map<string, NotificationDocument> =>
  new Map([...redelivered(notifications, events)].flatMap(([id, doc]) => ('user' in doc ? [[id, doc] as const] : [])));
const kinds = (...events: SampleEvent[]) =>
  Object.fromEntries([...made(...events)].map(([id, { kind }]) => [id, kind]));

describe('the read model of notifications', () => {
  it('tells whom a comment mentions, with ids of everything that it is about', () => {
    expect(made(posted('ann', text(['bob', 'ann'])))).toEqual(
      new Map([
        [
          'posted_bob',
          {
            user: 'bob',
            organization: 'o',
            kind: 'mentioned',
            event: 'posted',
            position: expect.any(Number),
            actor: 'ann',
            createdAt: time,
            day: '2026-01-02',
            space: 's',
            changeRequest: null,
            comment: 'c',
            reply: null,
            review: null,
            page: 'p',
          },
        ],
      ]),
    );
  });

  it('tells whom an edit mentions for the first time', () => {
    const edit = { ...place, ...text(['bob', 'cat']), previous: 't', mentioned: ['cat'] };
    expect(
      kinds(
        posted('ann', text(['bob'])),
        by('ann', 'c')('CommentEdited', edit, 'e1'),
        by('ann', 'c')('CommentReplyEdited', { ...edit, reply: 'r', mentioned: ['dan'] }, 'e2'),
      ),
    ).toEqual({ posted_bob: 'mentioned', e1_cat: 'mentioned', e2_dan: 'mentioned' });
  });

  it('removes the notifications of an expired day, and no others', () => {
    const late = by('ann', 'c2')('CommentPosted', { ...place, ...target, ...text(['bob']) }, 'late');
    const expired = by('x', 'notifications', 'system')('NotificationsExpired', { day: '2026-01-02' });
    const next = { ...late, meta: { ...late.meta, time: '2026-01-03T00:00:00.000Z' } };
    expect(kinds(posted('ann', text(['bob'])), next, expired)).toEqual({ late_bob: 'mentioned' });
  });

  it('drops mentions of what is no user id', () => {
    expect(kinds(posted('ann', text(['a b', '', 'x'.repeat(65), '__proto__'])))).toEqual({
      ['posted___proto__']: 'mentioned',
    });
  });

  it('tells the author and earlier repliers about a reply, and mentioned people only about the mention', () => {
    expect(kinds(posted('ann'), replied('bob', 'r1'), replied('cat', 'r2', ['bob']))).toEqual({
      r1_ann: 'comment_replied',
      r2_ann: 'comment_replied',
      r2_bob: 'mentioned',
    });
  });

  it('tells the first and the latest of very many repliers', () => {
    const many = Array.from({ length: 250 }, (_, i) => replied(`u${i}`, `r${i}`));
    const docs = [...project(notifications, [posted('ann'), ...many, replied('ann', 'last')]).keys()];
    const told = docs.filter((id) => id.startsWith('last_'));
    expect([told.length, told.includes('last_u249'), told.includes('last_u0')]).toEqual([199, true, false]);
  });

  it('tells the author of a change request about comments, but not about comments of reviews', () => {
    expect(kinds(requested, posted('bob', onRequest))).toEqual({ posted_ann: 'comment_on_yours' });
    expect(kinds(requested, posted('ann', onRequest))).toEqual({});
    expect(kinds(requested, posted('bob', { ...onRequest, review: 'rv' }))).toEqual({});
  });

  it('tells the author of conflicts that somebody else has found', () => {
    const updated = (user: string, conflicts: string | null) =>
      by(user, 'cr')('BranchUpdated', { space: 's', ancestor: { revision: 'm', tree: 't' }, conflicts }, 'updated');
    expect(kinds(requested, updated('bob', 'x'))).toEqual({ updated_ann: 'change_request_conflicts' });
    expect(kinds(requested, updated('bob', null))).toEqual({});
    expect(kinds(requested, updated('ann', 'x'))).toEqual({});
  });

  it('tells people and members of teams that a review is requested, its author of reviews, and all of them of the merge', () => {
    const member = (user: string) => by('adm', 't')('TeamMemberAdded', { user, membership: 'm', role: 'member' });
    const left = by('adm', 't')('TeamMemberRemoved', { user: 'dan', membership: 'm' });
    const team = [member('dan'), member('eve'), member('ann'), member('bob'), left];
    const asked = { space: 's', revision: 'r', users: [{ user: 'bob', membership: 'm' }], teams: ['t', 'unknown'] };
    const asking = by('ann', 'cr')('ReviewersRequested', asked, 'asked');
    expect(kinds(requested, ...team, asking)).toEqual({ asked_bob: 'review_requested', asked_eve: 'review_requested' });
    const reviewing = { space: 's', review: 'rv', status: 'approved', revision: 'r' };
    const review = (user: string) =>
      by(user, 'cr')('ReviewSubmitted', { ...reviewing, requestedBy: null, teams: [], comment: null }, 'reviewed');
    expect(made(requested, review('eve')).get('reviewed_ann')).toMatchObject({
      kind: 'review_submitted',
      review: 'rv',
    });
    expect(kinds(requested, review('ann'))).toEqual({});
    const merging = { space: 's', attempt: 'a', by: 'bob', revision: 'm', from: 'open' };
    const merged = by('system', 'cr', 'system')('ChangeRequestMerged', merging, 'merged');
    const told = [...made(requested, asking, review('eve'), merged).values()].filter(({ event }) => event === 'merged');
    expect(told).toMatchObject([
      { user: 'ann', kind: 'change_request_merged', actor: 'bob' },
      { user: 'eve', kind: 'change_request_merged', actor: 'bob' },
    ]);
  });

  it('tells the author when a merge of somebody else meets conflicts', () => {
    const ended = (who: string, conflicts: number | null) =>
      by(who, 'cr')('ChangeRequestMergeEnded', { space: 's', attempt: 'a', by: who, conflicts }, 'ended');
    expect(kinds(requested, ended('bob', 2))).toEqual({ ended_ann: 'change_request_conflicts' });
    expect(kinds(requested, ended('bob', null))).toEqual({});
    expect(kinds(requested, ended('ann', 2))).toEqual({});
  });

  it('tells people who are added, but not those who join by themselves', () => {
    expect(kinds(joined('bob', { unaccepted: true }))).toEqual({ joined_bob: 'invited' });
    expect(kinds(joined('bob'))).toEqual({});
  });

  it('removes notifications about deleted and purged things, and of people who leave or are erased', () => {
    const told = [posted('ann', text(['bob'])), replied('cat', 'r1')];
    expect(Object.keys(kinds(...told))).toEqual(['posted_bob', 'r1_ann']);
    const left = (...event: SampleEvent[]) => Object.keys(kinds(...told, ...event));
    expect(left(by('x', 'c')('CommentReplyDeleted', { ...place, reply: 'r1', author: 'cat', text: 't' }))).toEqual([
      'posted_bob',
    ]);
    expect(left(by('x', 'c')('CommentDeleted', { ...place, status: 'open', authors: [] }))).toEqual([]);
    expect(left(by('x', 'o')('MemberRemoved', { user: 'bob', membership: 'm' }))).toEqual(['r1_ann']);
    expect(left(by('x', 'other')('MemberRemoved', { user: 'bob', membership: 'm' }))).toHaveLength(2);
    expect(left(by('x', 'o')('RosterClosed', {}))).toEqual([]);
    expect(left(by('x', 'bob')('UserErased', { user: 'bob' }))).toEqual(['r1_ann']);
    expect(left(by('x', 's')('SpacePurgeBegan', { space: 's' }))).toEqual([]);
    expect(redelivered(notifications, [...told, by('x', 's')('SpacePurged', { space: 's' })]).size).toBe(0);
  });
});
