import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { ChangeRequestEvent, NumberEvent } from '../events/index.js';
import { change, changeRequest, create } from './change-request.js';
import { assign, numbers } from './numbers.js';

const space = 's';
const first = { space, text: null, bytes: 2, template: null, conversationsIssuesCluster: null, agentTask: null };
// Events of these specs are caused by `actor`.
const created: ChangeRequestEvent = { type: 'ChangeRequestCreated', data: first };
const opened: ChangeRequestEvent = { type: 'ChangeRequestOpened', data: { space } };
const archived: ChangeRequestEvent = { type: 'ChangeRequestArchived', data: { space } };
const reopened: ChangeRequestEvent = { type: 'ChangeRequestReopened', data: { space } };
const drafted: ChangeRequestEvent = { type: 'ChangeRequestConvertedToDraft', data: { space } };
const text = { text: 't1', previous: null, bytes: 9, fields: ['subject' as const] };
const described: ChangeRequestEvent = { type: 'ChangeRequestDescribed', data: { space, ...text } };
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

  it('takes a text that was made of its present one', () => {
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
      { history: [created, archived], status: 'open', then: [reopened] },
      { history: [created, archived], status: 'draft', then: [drafted] },
      { history: [created, archived, reopened], status: 'open', then: [] },
      { history: [created, opened], status: 'draft', then: [drafted] },
      { history: [created, opened], status: 'archived', then: [archived] },
    ] as const;
    for (const { history, status, then } of moves)
      given(changeRequest, history)
        .when((state) => change(state, author, { status }))
        .then(then);
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
