import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { ChangeRequestEvent, NumberEvent } from '../change-request.events.js';
import { abandon, change, changeRequest, create, isPresent } from './change-request.js';
import { beginMerge, endMerge, settle } from './merge-attempt.js';
import { assign, numbers } from './numbers.js';
import { beginReopening, endReopening } from './reopening.js';
import { requestReviewers, submitReview, withdrawRequest } from './review-requests.js';

const space = 's';
const first = { space, text: null, bytes: 2, template: null, conversationsIssuesCluster: null, agentTask: null };
// Events of these specs are caused by `actor`.
const created: ChangeRequestEvent = { type: 'ChangeRequestCreated', data: first };
const opened: ChangeRequestEvent = { type: 'ChangeRequestOpened', data: { space } };
type Status = 'draft' | 'open' | 'archived' | 'merged';
const archived = (from: Status = 'open'): ChangeRequestEvent => ({
  type: 'ChangeRequestArchived',
  data: { space, from },
});
const reopened = (from: 'archived' | 'merged' = 'archived'): ChangeRequestEvent => ({
  type: 'ChangeRequestReopened',
  data: { space, from },
});
const drafted = (from: Status = 'open'): ChangeRequestEvent => ({
  type: 'ChangeRequestConvertedToDraft',
  data: { space, from },
});
const began: ChangeRequestEvent = { type: 'ChangeRequestMergeBegan', data: { space, attempt: 'a1', head: 'h1' } };
const of = { space, attempt: 'a1', by: 'actor' };
const merged: ChangeRequestEvent = { type: 'ChangeRequestMerged', data: { ...of, revision: 'm1', from: 'open' } };
const ended: ChangeRequestEvent = { type: 'ChangeRequestMergeEnded', data: { ...of, conflicts: 2 } };
const text = { text: 't1', previous: null, bytes: 9, fields: ['subject' as const] };
const described: ChangeRequestEvent = { type: 'ChangeRequestDescribed', data: { space, ...text } };
const reviewedBy = (status: 'approved' | 'changes-requested'): ChangeRequestEvent => ({
  type: 'ReviewSubmitted',
  data: { space, review: 'r0', status, revision: 'h1', requestedBy: null, teams: [], comment: null },
});
const author = { user: 'actor', mayReview: false };
const other = { user: 'bob', mayReview: false };
const reviewer = { user: 'bob', mayReview: true };

describe('a change request', () => {
  it('is created once', () => {
    given(changeRequest, [])
      .when((state) => create(state, first))
      .then([created]);
    given(changeRequest, [created])
      .when((state) => create(state, first))
      .thenFails('already_exists');
  });

  it('is given up once, and gone then', () => {
    const abandoned: ChangeRequestEvent = { type: 'ChangeRequestAbandoned', data: { space } };
    given(changeRequest, [created]).when(abandon).then([abandoned]);
    for (const history of [[], [created, abandoned]]) given(changeRequest, history).when(abandon).then([]);
    given(changeRequest, [created, abandoned])
      .when((state) => change(state, author, { status: 'open' }))
      .thenFails('not_found');
  });

  it('is changed by its author and by those who may review', () => {
    for (const editor of [author, reviewer])
      given(changeRequest, [created])
        .when((state) => change(state, editor, { described: text, status: 'open' }))
        .then([described, opened]);
    given(changeRequest, [created])
      .when((state) => change(state, other, { status: 'open' }))
      .thenFails('forbidden');
    given(changeRequest, [])
      .when((state) => change(state, author, {}))
      .thenFails('not_found');
  });

  it('accepts a new text only if it was made from the present text', () => {
    given(changeRequest, [created, described])
      .when((state) => change(state, author, { described: { ...text, text: 't2' } }))
      .thenFails('conflict');
    given(changeRequest, [created, described])
      .when((state) => change(state, author, { described: { ...text, text: 't2', previous: 't1' } }))
      .then([{ type: 'ChangeRequestDescribed', data: { space, ...text, text: 't2', previous: 't1' } }]);
  });

  it('goes from every status to every other', () => {
    const moves = [
      { history: [created], status: 'open', then: [opened] },
      { history: [created], status: 'draft', then: [] },
      { history: [created, archived()], status: 'open', then: [reopened()] },
      { history: [created, archived()], status: 'draft', then: [drafted('archived')] },
      { history: [created, archived(), reopened()], status: 'open', then: [] },
      { history: [created, opened], status: 'draft', then: [drafted()] },
      { history: [created, opened], status: 'archived', then: [archived()] },
      { history: [created, merged], status: 'open', then: [reopened('merged')] },
      { history: [created, merged], status: 'draft', then: [reopened('merged'), drafted()] },
      { history: [created, merged], status: 'archived', then: [reopened('merged'), archived()] },
    ] as const;
    for (const { history, status, then } of moves)
      given(changeRequest, history)
        .when((state) => change(state, reviewer, { status }))
        .then(then);
  });

  it('is reopened after a merge by those who may review alone, and stays as it is while a merge is under way', () => {
    given(changeRequest, [created, merged])
      .when((state) => change(state, author, { status: 'open' }))
      .thenFails('forbidden');
    given(changeRequest, [created, merged])
      .when((state) => change(state, author, { described: text }))
      .then([described]);
    given(changeRequest, [created, began])
      .when((state) => change(state, reviewer, { status: 'open' }))
      .thenFails('conflict');
    given(changeRequest, [created, began, ended])
      .when((state) => change(state, reviewer, { status: 'open' }))
      .then([opened]);
  });
});

describe('the merge of a change request', () => {
  const seen = { status: 'draft' as const, text: null, reviewed: 0 };
  const first = { attempt: 'a1', head: 'h1', seen };

  it('begins once, for what the rules were checked for', () => {
    given(changeRequest, [created])
      .when((state) => beginMerge(state, first))
      .then([began]);
    for (const history of [
      [created, began],
      [created, merged],
    ])
      given(changeRequest, history)
        .when((state) => beginMerge(state, { ...first, attempt: 'a2' }))
        .then([]);
    for (const later of [described, reviewedBy('approved'), opened])
      given(changeRequest, [created, later])
        .when((state) => beginMerge(state, first))
        .thenFails('conflict');
    given(changeRequest, [])
      .when((state) => beginMerge(state, first))
      .thenFails('not_found');
  });

  it('ends once, merged or not', () => {
    const revision = { attempt: 'a1', outcome: { revision: 'm1' } };
    given(changeRequest, [created, opened, began])
      .when((state) => endMerge(state, revision))
      .then([merged]);
    given(changeRequest, [created, opened, began])
      .when((state) => endMerge(state, { attempt: 'a1', outcome: { conflicts: 2 } }))
      .then([ended]);
    for (const history of [[created], [created, began, ended], [created, began, merged]])
      given(changeRequest, history)
        .when((state) => endMerge(state, revision))
        .then([]);
  });

  it('is recorded from the answer of content, when the merging process did not record it', () => {
    const attempt = { id: 'a1', by: 'actor' };
    const settled = (history: ChangeRequestEvent[], now: string | null, later: ChangeRequestEvent[] = []) => {
      const { state } = given(changeRequest, history);
      if (!isPresent(state)) throw new Error('It is there');
      return given(changeRequest, [...history, ...later]).when((present) =>
        settle(present, { seen: state, merged: now, attempt }),
      );
    };
    settled([created, opened, began, ended], 'm1').then([merged]);
    settled([created, opened, merged], null).then([]);
    settled([created, opened, merged], 'm1').then([]);
    settled([created, opened], null).then([]);
    settled([created, opened, began], 'm1').then([]);
    settled([created, opened], 'm1', [drafted()]).then([]);
  });
});

describe('the reopening of a merged change request', () => {
  const to = 'draft' as const;
  const reopening: ChangeRequestEvent = { type: 'ChangeRequestReopeningBegan', data: { space, to } };

  it('begins once for a status, and by those who may review alone', () => {
    given(changeRequest, [created, merged])
      .when((state) => beginReopening(state, reviewer, to))
      .then([reopening]);
    for (const history of [
      [created, opened],
      [created, merged, reopening],
    ])
      given(changeRequest, history)
        .when((state) => beginReopening(state, reviewer, to))
        .then([]);
    given(changeRequest, [created, merged, reopening])
      .when((state) => beginReopening(state, reviewer, 'open'))
      .then([{ type: 'ChangeRequestReopeningBegan', data: { space, to: 'open' } }]);
    given(changeRequest, [created, merged])
      .when((state) => beginReopening(state, author, to))
      .thenFails('forbidden');
    given(changeRequest, [created, began])
      .when((state) => beginReopening(state, reviewer, to))
      .thenFails('conflict');
  });

  it('ends with the status that was asked for, unless it has got one since', () => {
    given(changeRequest, [created, merged, reopening])
      .when(endReopening)
      .then([reopened('merged'), drafted()]);
    for (const later of [[reopened('merged'), drafted()], [reopened('merged')]])
      given(changeRequest, [created, merged, reopening, ...later])
        .when(endReopening)
        .then([]);
    given(changeRequest, [created, merged]).when(endReopening).then([]);
  });
});

describe('reviews of a change request', () => {
  const asked = { users: [{ user: 'bob', membership: 'm' }], teams: ['t'] };
  const wanted = { asked, revision: 'h1', limit: 3 };
  const requested: ChangeRequestEvent = { type: 'ReviewersRequested', data: { space, revision: 'h1', ...asked } };
  const review = { review: 'r1', status: 'approved', revision: 'h1', comment: null, limit: 2 } as const;
  const bob = { user: 'bob', mayReview: false, membership: 'm', teams: [] };

  it('are requested once of everybody, which opens a draft', () => {
    given(changeRequest, [created])
      .when((state) => requestReviewers(state, wanted))
      .then([requested, opened]);
    given(changeRequest, [created, opened, requested])
      .when((state) => requestReviewers(state, wanted))
      .then([]);
    const returned = { users: [{ user: 'bob', membership: 'm2' }], teams: [] };
    given(changeRequest, [created, opened, requested])
      .when((state) => requestReviewers(state, { ...wanted, asked: returned }))
      .then([{ type: 'ReviewersRequested', data: { space, revision: 'h1', ...returned } }]);
    given(changeRequest, [created])
      .when((state) => requestReviewers(state, { ...wanted, limit: 1 }))
      .thenFails('limit_reached');
  });

  it('are withdrawn by who requested them, who is asked, the author and those who may review', () => {
    const data = { space, user: 'bob', team: null };
    for (const editor of [author, other, reviewer])
      given(changeRequest, [created, requested])
        .when((state) => withdrawRequest(state, { user: 'bob' }, editor))
        .then([{ type: 'ReviewRequestWithdrawn', data }]);
    const stranger = { user: 'cat', mayReview: false };
    given(changeRequest, [created, requested])
      .when((state) => withdrawRequest(state, { user: 'bob' }, stranger))
      .thenFails('forbidden');
    given(changeRequest, [created, requested])
      .when((state) => withdrawRequest(state, { team: 't' }, other))
      .thenFails('forbidden');
    given(changeRequest, [created])
      .when((state) => withdrawRequest(state, { user: 'bob' }, stranger))
      .then([]);
  });

  it('are submitted by those who may review and those who are asked, but never by the author', () => {
    const { limit: _, ...data } = { ...review, space };
    given(changeRequest, [created])
      .when((state) => submitReview(state, { ...bob, mayReview: true }, review))
      .then([{ type: 'ReviewSubmitted', data: { ...data, requestedBy: null, teams: [] } }]);
    given(changeRequest, [created, requested])
      .when((state) => submitReview(state, { ...bob, teams: ['t', 'u'] }, review))
      .then([{ type: 'ReviewSubmitted', data: { ...data, requestedBy: 'actor', teams: ['t'] } }]);
    for (const refused of [bob, { ...bob, user: 'actor', mayReview: true }])
      given(changeRequest, [created])
        .when((state) => submitReview(state, refused, review))
        .thenFails('forbidden');
    given(changeRequest, [created, requested])
      .when((state) => submitReview(state, { ...bob, membership: 'later' }, review))
      .thenFails('forbidden');
    given(changeRequest, [created, reviewedBy('approved'), reviewedBy('approved')])
      .when((state) => submitReview(state, { ...bob, mayReview: true }, review))
      .thenFails('limit_reached');
  });

  it('are submitted again, for a later revision, by whoever was asked', () => {
    const submitted = (teams: string[] = []): ChangeRequestEvent => ({
      type: 'ReviewSubmitted',
      data: { space, review: 'r0', status: 'approved', revision: 'h1', requestedBy: 'actor', teams, comment: null },
    });
    // Events of these specs are caused by `actor`, so that is who reviews.
    const begun: ChangeRequestEvent[] = [created];
    const again = { user: 'actor', mayReview: false, membership: 'm', teams: [] };
    const askedActor = { users: [{ user: 'actor', membership: 'm' }], teams: ['t'] };
    const request: ChangeRequestEvent = { type: 'ReviewersRequested', data: { space, revision: 'h1', ...askedActor } };
    const later = { ...review, revision: 'h2', limit: 9 };
    const state = (teams: string[]) => {
      const folded = given(changeRequest, [...begun, request, submitted(teams), submitted()]).state;
      if (folded.status === 'absent' || folded.status === 'abandoned') throw new Error('It has to be there');
      return { ...folded, author: 'somebody else' };
    };
    expect(submitReview(state([]), again, later)).toMatchObject([{ data: { revision: 'h2', requestedBy: null } }]);
    expect(submitReview(state(['t']), { ...again, membership: 'm2', teams: ['t'] }, later)).toHaveLength(1);
    for (const refused of [
      { ...again, membership: 'm2' },
      { ...again, user: 'bob' },
    ])
      expect(() => submitReview(state(['t']), refused, later)).toThrow(/asked/);
    expect(() => submitReview(state([]), again, { ...later, revision: 'h1' })).toThrow(/asked/);
  });
});

describe('the numbers of a space', () => {
  const numbered = (changeRequest: string, number: number): NumberEvent => ({
    type: 'ChangeRequestNumbered',
    data: { changeRequest, number },
  });

  it('count from 1, up to a limit', () => {
    given(numbers, [])
      .when((state) => assign(state, { changeRequest: 'a', limit: 2 }))
      .then([numbered('a', 1)]);
    const both = given(numbers, [numbered('a', 1), numbered('b', 2)]);
    both.when((state) => assign(state, { changeRequest: 'c', limit: 2 })).thenFails('limit_reached');
    expect(both.state).toEqual({ last: 2 });
  });
});
