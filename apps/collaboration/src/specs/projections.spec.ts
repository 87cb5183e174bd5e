import { describe, expect, it } from '@jest/globals';
import { redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { changeRequests } from '../change-requests/list/change-request.projection.js';
import { commentCounts } from '../comments/reading/comment-count.projection.js';
import { comments } from '../comments/reading/comment.projection.js';
import { replies } from '../comments/reading/comment-reply.projection.js';
import { commenters } from '../comments/commenters/commenter.projection.js';
import { contributors } from '../change-requests/contributors/contributor.projection.js';
import { requestedReviewers } from '../reviews/requested-reviewer.projection.js';
import { reviews } from '../reviews/review.projection.js';
import { mergeRules } from '../spaces/merge-rules.projection.js';
import { branchHeads } from '../spaces/branch-head.projection.js';

const [first, then] = ['2026-01-02T03:04:05.006Z', '2026-01-03T03:04:05.006Z'];
const by =
  (user: string, entityId = 'c', time = then) =>
  (type: string, data: object): SampleEvent => ({
    type,
    data,
    entityId,
    meta: { organization: 'o', time, actor: { kind: 'user', id: user } },
  });
const place = { space: 's', changeRequest: null };
const text = (name: string, bytes = 10) => ({ text: name, bytes, mentions: [] });
const target = { review: null, page: 'p', node: null, tableCell: null, revision: 'rev' };
const posted = by('ann', 'c', first)('CommentPosted', { ...place, ...target, ...text('t1') });
const reply = (user: string, id: string) => by(user)('CommentReplyPosted', { ...place, ...text(id), reply: id });
const deleted = by('ann')('CommentDeleted', { ...place, status: 'open', authors: [{ user: 'ann', items: 1 }] });
const system = by('system', 's');
const purged = system('SpacePurgeBegan', { space: 's' });
const shown = {
  organization: 'o',
  ...place,
  place: 's',
  ...target,
  author: 'ann',
  postedAt: first,
  editedAt: null,
  text: 't1',
  bytes: 10,
  status: 'open',
  resolvedAt: null,
  resolvedBy: null,
  reactions: [],
  replies: 0,
  repliers: [],
  answerBytes: 10,
};

// Each history is folded with every beginning of it delivered twice: redelivery must change nothing.
describe('the read models of collaboration', () => {
  it('show comments with their changes', () => {
    const folded = (...events: SampleEvent[]) => redelivered(comments, [posted, ...events]).get('c');
    expect(folded()).toEqual(shown);
    expect(folded(by('ann')('CommentEdited', { ...place, ...text('t2', 30), previous: 't1' }))).toEqual({
      ...shown,
      text: 't2',
      bytes: 30,
      answerBytes: 30,
      editedAt: then,
    });
    const resolved = by('bob')('CommentResolved', place);
    expect(folded(resolved)).toEqual({ ...shown, status: 'resolved', resolvedAt: then, resolvedBy: 'bob' });
    expect(folded(resolved, by('bob')('CommentReopened', place))).toEqual(shown);
  });

  it('show the reactions to comments, and who replied', () => {
    const emoji = { emoji: '1f389' };
    const reactions = [by('bob')('CommentReactionAdded', emoji), by('ann')('CommentReactionAdded', emoji)];
    const [user, at] = ['user', then];
    expect(redelivered(comments, [posted, ...reactions]).get('c')).toMatchObject({
      reactions: [
        {
          ...emoji,
          users: [
            { [user]: 'bob', at },
            { [user]: 'ann', at },
          ],
        },
      ],
      answerBytes: 610,
    });
    const removed = ['bob', 'ann', 'bob'].map((who) => by(who)('CommentReactionRemoved', emoji));
    expect(redelivered(comments, [posted, ...reactions, ...removed]).get('c')).toEqual(shown);
    const answered = [posted, reply('bob', 'r1'), reply('ann', 'r2'), reply('bob', 'r3')];
    expect(redelivered(comments, answered).get('c')).toMatchObject({
      replies: 3,
      repliers: [
        { user: 'bob', count: 2, at },
        { user: 'ann', count: 1, at },
      ],
    });
    const gone = ['r1', 'r3'].map((id) =>
      by('ann')('CommentReplyDeleted', { ...place, reply: id, author: 'bob', text: id }),
    );
    expect(redelivered(comments, [...answered, ...gone]).get('c')).toMatchObject({
      replies: 1,
      repliers: [{ user: 'ann', count: 1, at }],
      answerBytes: 310,
    });
  });

  it('show replies with their changes', () => {
    const folded = (...events: SampleEvent[]) => redelivered(replies, [reply('bob', 'r'), ...events]);
    const one = { reply: 'r', emoji: '1f389' };
    const changed = [
      by('bob')('CommentReplyEdited', { ...place, ...text('t2', 30), reply: 'r', previous: 'r' }),
      by('ann')('CommentReplyReactionAdded', one),
    ];
    expect(folded(...changed).get('r')).toEqual({
      organization: 'o',
      ...place,
      comment: 'c',
      author: 'bob',
      postedAt: then,
      editedAt: then,
      text: 't2',
      bytes: 30,
      reactions: [{ emoji: '1f389', users: [{ user: 'ann', at: then }] }],
      answerBytes: 330,
    });
    const unreacted = by('ann')('CommentReplyReactionRemoved', one);
    expect(folded(...changed, unreacted).get('r')).toMatchObject({ reactions: [], answerBytes: 30 });
    const removed = by('bob')('CommentReplyDeleted', { ...place, reply: 'r', author: 'bob', text: 'r' });
    for (const end of [removed, deleted, purged]) expect(folded(end).size).toBe(0);
  });

  it('have no comment any more that was deleted, or whose space is purged', () => {
    for (const end of [deleted, purged]) expect(redelivered(comments, [posted, end]).size).toBe(0);
  });

  it('count the comments of spaces', () => {
    const added = system('SpaceAdded', { space: 's', parent: null, order: 'a0' });
    const elsewhere = by('ann', 'd')('CommentPosted', { ...target, ...text('t'), space: 's', changeRequest: 'cr' });
    const events = [added, posted, elsewhere, by('ann')('CommentResolved', place)];
    expect(redelivered(commentCounts, events).get('s')).toEqual({ space: 's', all: 2, total: 1, open: 0 });
    const reopened = by('ann')('CommentReopened', place);
    expect(redelivered(commentCounts, [...events, reopened, deleted]).get('s')).toMatchObject({
      all: 1,
      total: 0,
      open: 0,
    });
    expect(redelivered(commentCounts, [added, purged, posted]).size).toBe(0);
  });

  it('show who has commented, as long as something is there and they are members', () => {
    const folded = (...events: SampleEvent[]) => redelivered(commenters, [posted, reply('bob', 'r'), ...events]);
    const ann = { organization: 'o', space: 's', place: 's', user: 'ann', items: 1, since: first, isMember: true };
    expect(folded().get('s:ann')).toEqual(ann);
    expect(folded(reply('ann', 'r2')).get('s:ann')).toEqual({ ...ann, items: 2 });
    const removed = by('bob')('CommentReplyDeleted', { ...place, reply: 'r', author: 'bob', text: 'r' });
    expect([...folded(removed).keys()]).toEqual(['s:ann']);
    expect([...folded(deleted).keys()]).toEqual(['s:bob']);
    expect(folded(purged).size).toBe(0);
    const left = by('x', 'o')('MemberRemoved', { user: 'ann', membership: 'm' });
    expect(folded(left).get('s:ann')?.isMember).toBe(false);
    const back = by('x', 'o')('MemberJoined', { user: 'ann', membership: 'm2', role: 'read', via: 'invite' });
    expect(folded(left, back).get('s:ann')?.isMember).toBe(true);
  });

  it('know the newest revision of each branch', () => {
    const opened = by('ann', 'b')('BranchOpened', { space: 's', pool: 's', from: { revision: 'r1', tree: 't' } });
    expect(redelivered(branchHeads, [opened]).get('b')).toEqual({ space: 's', revision: 'r1' });
    const counts = { pages: 0, files: 0, reusableContents: 0, variables: 0 };
    const made = { space: 's', revision: 'r2', number: 1, parents: [], tree: 't', type: 'edits', mergedFrom: null };
    const created = by('ann', 'b')('RevisionCreated', { ...made, counts, changes: [], more: 0 });
    expect(redelivered(branchHeads, [opened, created]).get('b')).toEqual({ space: 's', revision: 'r2' });
    expect(redelivered(branchHeads, [opened, created, purged]).size).toBe(0);
  });

  it('show change requests with their status, content and comments', () => {
    const request = by('ann', 'cr', first);
    const later = by('bob', 'cr');
    const data = { space: 's', text: null, bytes: 2, template: null, conversationsIssuesCluster: 'x', agentTask: null };
    const begun = [
      request('ChangeRequestCreated', data),
      later('BranchOpened', { space: 's', pool: 's', from: { revision: 'm1', tree: 't' } }),
      by('ann', 's')('ChangeRequestNumbered', { changeRequest: 'cr', number: 7 }),
    ];
    const shownRequest = {
      organization: 'o',
      space: 's',
      number: 7,
      status: 'draft',
      author: 'ann',
      createdAt: first,
      updatedAt: first,
      text: null,
      conversationsIssuesCluster: 'x',
      agentTask: null,
      revision: 'm1',
      initial: 'm1',
      ancestor: null,
      pending: null,
      merged: null,
      mergedBy: null,
      mergedAt: null,
      requested: [],
      comments: 0,
      contributors: [],
    };
    const folded = (...events: SampleEvent[]) => redelivered(changeRequests, [...begun, ...events]).get('cr');
    expect(folded()).toEqual(shownRequest);
    const described = { space: 's', text: 't1', previous: null, bytes: 3, fields: ['subject'] };
    expect(folded(later('ChangeRequestDescribed', described))).toMatchObject({ text: 't1', updatedAt: then });
    for (const [type, status] of [
      ['ChangeRequestOpened', 'open'],
      ['ChangeRequestReopened', 'open'],
      ['ChangeRequestArchived', 'archived'],
      ['ChangeRequestConvertedToDraft', 'draft'],
    ] as const)
      expect(folded(later(type, { space: 's', from: 'archived' }))).toMatchObject({ status, updatedAt: then });
    const counts = { pages: 0, files: 0, reusableContents: 0, variables: 0 };
    const made = { space: 's', revision: 'r1', number: 1, parents: [], tree: 't', type: 'edits', mergedFrom: null };
    const revised = later('RevisionCreated', { ...made, counts, changes: [], more: 0 });
    const updated = (conflicts: string | null) =>
      later('BranchUpdated', { space: 's', ancestor: { revision: 'm2', tree: 't' }, conflicts });
    expect(folded(revised, updated(null))).toMatchObject({ revision: 'r1', ancestor: 'm2', contributors: ['bob'] });
    expect(folded(updated('c'))).toMatchObject({ ancestor: null, pending: 'm2' });
    const resolved = (left: string | null) => later('BranchConflictsResolved', { space: 's', left });
    expect(folded(updated('c'), resolved('d'))).toMatchObject({ ancestor: null, pending: 'm2' });
    expect(folded(updated('c'), resolved(null))).toMatchObject({ ancestor: 'm2', pending: null });
    const merged = later('BranchMerged', { space: 's', revision: 'm3', tree: 't', attempt: 'a' });
    expect(folded(revised, merged)).toMatchObject({ revision: 'r1', merged: 'm3' });
    const again = later('BranchReopened', { space: 's' });
    expect(folded(revised, merged, again)).toMatchObject({ revision: 'm3', ancestor: 'm3', merged: null });
    const done = { space: 's', attempt: 'a', by: 'ann', revision: 'm3', from: 'open' };
    const ended = [later('ChangeRequestMergeBegan', { space: 's', attempt: 'a', head: 'r1' }), merged];
    const recorded = by('system', 'cr')('ChangeRequestMerged', done);
    const whole = { status: 'merged', merged: 'm3', mergedBy: 'ann', mergedAt: then };
    expect(folded(revised, ...ended, recorded)).toMatchObject(whole);
    const reopened = later('ChangeRequestReopened', { space: 's', from: 'merged' });
    expect(folded(revised, ...ended, recorded, again, reopened)).toMatchObject({
      status: 'open',
      merged: null,
      mergedBy: null,
      mergedAt: null,
    });
    const at = { space: 's', changeRequest: 'cr' };
    const comment = by('cat', 'c1')('CommentPosted', { ...target, ...at, ...text('t') });
    expect(folded(comment)).toMatchObject({ comments: 1, contributors: ['cat'], updatedAt: first });
    const more = [
      by('dan', 'c1')('CommentReplyPosted', { ...at, ...text('t'), reply: 'r' }),
      by('cat', 'c1')('CommentResolved', at),
      by('cat', 'c1')('CommentReopened', at),
      by('cat', 'c1')('CommentDeleted', { ...at, status: 'open', authors: [] }),
    ];
    const open = more.map((_, i) => folded(comment, ...more.slice(0, i + 1))?.comments);
    expect(open).toEqual([1, 0, 1, 0]);
    expect(folded(comment, ...more)?.contributors).toEqual(['cat', 'dan']);
    const review = { space: 's', review: 'v', status: 'approved', revision: 'm1', comment: null, requestedBy: null };
    const reviewed = by('eve', 'cr')('ReviewSubmitted', { ...review, teams: [] });
    expect(folded(reviewed)?.contributors).toEqual(['eve']);
    expect(folded(posted)).toEqual(shownRequest);
    expect(folded(purged)).toBeUndefined();
  });

  it('know whose reviews are requested, until they are submitted or withdrawn, or who is asked has left', () => {
    const change = by('ann', 'cr');
    const users = [{ user: 'bob', membership: 'm1' }];
    const requested = change('ReviewersRequested', { space: 's', revision: 'r1', users, teams: ['t'] });
    const common = { space: 's', changeRequest: 'cr', revision: 'r1', requestedBy: 'ann', createdAt: then };
    const folded = (...events: SampleEvent[]) => redelivered(requestedReviewers, [requested, ...events]);
    expect([...folded().entries()]).toEqual([
      ['cr:user:bob', { ...common, user: 'bob', membership: 'm1', team: null }],
      ['cr:team:t', { ...common, user: null, membership: null, team: 't' }],
    ]);
    const review = { review: 'v', status: 'approved', revision: 'r1', requestedBy: 'ann', comment: null };
    const byBob = by('bob', 'cr')('ReviewSubmitted', { space: 's', ...review, teams: ['t'] });
    expect(folded(byBob).size).toBe(0);
    const keysAfter = (event: SampleEvent) => [...folded(event).keys()];
    const withdrawn = (whose: object) =>
      change('ReviewRequestWithdrawn', { space: 's', user: null, team: null, ...whose });
    expect(keysAfter(withdrawn({ user: 'bob' }))).toEqual(['cr:team:t']);
    expect(keysAfter(withdrawn({ team: 't' }))).toEqual(['cr:user:bob']);
    expect(keysAfter(by('x', 'o')('MemberRemoved', { user: 'bob', membership: 'm1' }))).toEqual(['cr:team:t']);
    expect(keysAfter(by('x', 't')('TeamDeleted', {}))).toEqual(['cr:user:bob']);
    expect(folded(purged).size).toBe(0);
    const data = {
      space: 's',
      text: null,
      bytes: 2,
      template: null,
      conversationsIssuesCluster: null,
      agentTask: null,
    };
    const onRequest = (...events: SampleEvent[]) =>
      redelivered(changeRequests, [change('ChangeRequestCreated', data), requested, ...events]).get('cr')?.requested;
    const bob = { key: 'm1', user: 'bob' };
    const team = { key: 't', user: null };
    expect(onRequest()).toEqual([bob, team]);
    expect(onRequest(byBob)).toEqual([]);
    expect(onRequest(withdrawn({ user: 'bob' }))).toEqual([team]);
    expect(onRequest(withdrawn({ team: 't' }))).toEqual([bob]);
    const again = change('ReviewersRequested', {
      space: 's',
      revision: 'r2',
      users: [{ user: 'bob', membership: 'm2' }],
      teams: [],
    });
    expect(onRequest(again)).toEqual([team, { key: 'm2', user: 'bob' }]);
  });

  it('show reviews', () => {
    const review = { review: 'v', status: 'approved', revision: 'r1', requestedBy: 'ann', teams: [], comment: null };
    const submitted = by('bob', 'cr')('ReviewSubmitted', { space: 's', ...review });
    expect(redelivered(reviews, [submitted]).get('v')).toEqual({
      space: 's',
      changeRequest: 'cr',
      status: 'approved',
      revision: 'r1',
      reviewer: 'bob',
      requestedBy: 'ann',
      comment: null,
      createdAt: then,
    });
    expect(redelivered(reviews, [submitted, purged]).size).toBe(0);
  });

  it('count what people have done in change requests', () => {
    const at = { space: 's', changeRequest: 'cr' };
    const comment = by('cat', 'c1')('CommentPosted', { ...target, ...at, ...text('t') });
    const again = by('cat', 'c1')('CommentReplyPosted', { ...at, ...text('t'), reply: 'r' });
    const shownContributors = redelivered(contributors, [posted, comment, again]);
    expect([...shownContributors.entries()]).toEqual([
      [
        'cr:cat:comment',
        {
          space: 's',
          changeRequest: 'cr',
          user: 'cat',
          action: 'comment',
          count: 2,
          rank: '0999999998:cat',
          updatedAt: then,
        },
      ],
    ]);
    expect(redelivered(contributors, [comment, purged]).size).toBe(0);
  });

  it('know the merge rules of spaces that have their own', () => {
    const rules = [{ rule: 'require_author_to_merge' }];
    const own = by('ann', 's')('SpaceMergeRulesChanged', { rules });
    expect(redelivered(mergeRules, [own]).get('s')).toEqual({ rules });
    for (const end of [by('ann', 's')('SpaceMergeRulesChanged', { rules: null }), purged])
      expect(redelivered(mergeRules, [own, end]).size).toBe(0);
  });
});
