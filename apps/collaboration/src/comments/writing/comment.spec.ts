import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { CommentEvent } from '../comment.events.js';
import { change, comment, post, remove } from './comment.js';
import { changeReply, postReply, removeReply } from './reply.js';

const place = { space: 's', changeRequest: null };
const target = { ...place, review: null, page: null, node: null, tableCell: null, revision: null };
const written = { text: 't2', bytes: 5, mentions: [] };
// Events of these specs are caused by `actor`.
const first = { ...target, text: 't1', bytes: 3, mentions: ['bob'] };
const posted: CommentEvent = { type: 'CommentPosted', data: first };
const resolved: CommentEvent = { type: 'CommentResolved', data: place };
const reopened: CommentEvent = { type: 'CommentReopened', data: place };
const deleted = (status: 'open' | 'resolved', items: number): CommentEvent => ({
  type: 'CommentDeleted',
  data: { ...place, status, authors: [{ user: 'actor', items }] },
});
const replied: CommentEvent = { type: 'CommentReplyPosted', data: { ...place, ...written, reply: 'r' } };
const party: CommentEvent = { type: 'CommentReactionAdded', data: { emoji: '1f389' } };
const author = { user: 'actor', mayResolve: false, limit: 3 };
const other = { user: 'bob', mayResolve: false, limit: 3 };

describe('a comment', () => {
  it('is posted once', () => {
    given(comment, [])
      .when((state) => post(state, first))
      .then([posted]);
    given(comment, [posted])
      .when((state) => post(state, first))
      .thenFails('already_exists');
  });

  it('is changed by its author, while it is there', () => {
    const edited: CommentEvent = {
      type: 'CommentEdited',
      data: { ...place, ...written, previous: 't1', mentioned: [] },
    };
    given(comment, [posted])
      .when((state) => change(state, author, { written }))
      .then([edited]);
    given(comment, [posted])
      .when((state) => change(state, { ...other, mayResolve: true }, { written }))
      .thenFails('forbidden');
    given(comment, [posted])
      .when((state) => change(state, author, {}))
      .then([]);
    for (const history of [[], [posted, deleted('open', 1)]])
      given(comment, history)
        .when((state) => change(state, author, {}))
        .thenFails('not_found');
  });

  it('tells with an edit whom it mentions for the first time', () => {
    const mentioning = { ...posted, data: { ...posted.data, mentions: ['bob'] } } as CommentEvent;
    const again = { text: 't3', bytes: 1, mentions: ['bob', 'cat'] };
    const data = { ...place, ...again, previous: 't1', mentioned: ['cat'] };
    given(comment, [mentioning])
      .when((state) => change(state, author, { written: again }))
      .then([{ type: 'CommentEdited', data }]);
    given(comment, [mentioning, { type: 'CommentEdited', data }])
      .when((state) => change(state, author, { written: { ...again, text: 't4' } }))
      .then([{ type: 'CommentEdited', data: { ...data, text: 't4', previous: 't3', mentioned: [] } }]);
  });

  it('is resolved and reopened by its author and by those who may', () => {
    given(comment, [posted])
      .when((state) => change(state, author, { resolved: true }))
      .then([resolved]);
    given(comment, [posted, resolved])
      .when((state) => change(state, { ...other, mayResolve: true }, { resolved: false }))
      .then([reopened]);
    given(comment, [posted, resolved])
      .when((state) => change(state, author, { resolved: true }))
      .then([]);
    given(comment, [posted])
      .when((state) => change(state, other, { resolved: true }))
      .thenFails('forbidden');
  });

  it('takes reactions up to a limit, those to its replies counted', () => {
    const react = (...addedReactions: string[]) => ({ addedReactions });
    given(comment, [posted])
      .when((state) => change(state, author, react('🎉')))
      .then([party]);
    given(comment, [posted, party])
      .when((state) => change(state, author, { removedReactions: ['🎉'] }))
      .then([{ type: 'CommentReactionRemoved', data: { emoji: '1f389' } }]);
    const onReply: CommentEvent = { type: 'CommentReplyReactionAdded', data: { reply: 'r', emoji: '1f389' } };
    given(comment, [posted, replied, party, onReply])
      .when((state) => change(state, author, react('👍', '🚀')))
      .thenFails('limit_reached');
    given(comment, [posted, replied, party, onReply])
      .when((state) => change(state, author, { ...react('👍', '🚀'), removedReactions: ['🎉'] }))
      .then([
        { type: 'CommentReactionRemoved', data: { emoji: '1f389' } },
        { type: 'CommentReactionAdded', data: { emoji: '1f44d' } },
        { type: 'CommentReactionAdded', data: { emoji: '1f680' } },
      ]);
  });

  it('is deleted once, and the event names the authors of the removed comments and replies', () => {
    given(comment, [posted, replied])
      .when(remove)
      .then([deleted('open', 2)]);
    given(comment, [posted, resolved])
      .when(remove)
      .then([deleted('resolved', 1)]);
    given(comment, [posted, deleted('open', 1)])
      .when(remove)
      .then([]);
  });
});

describe('a reply', () => {
  const wanted = { ...written, reply: 'r', limit: 1 };

  it('is posted while the comment is there, also when it is resolved, up to a limit', () => {
    given(comment, [posted, resolved])
      .when((state) => postReply(state, wanted))
      .then([replied]);
    given(comment, [posted, replied])
      .when((state) => postReply(state, { ...wanted, reply: 'r2' }))
      .thenFails('limit_reached');
    given(comment, [posted, deleted('open', 1)])
      .when((state) => postReply(state, wanted))
      .thenFails('not_found');
  });

  it('is changed by its author; others react', () => {
    const again = { text: 't3', bytes: 1, mentions: [] };
    given(comment, [posted, replied])
      .when((state) => changeReply(state, author, { reply: 'r', written: again }))
      .then([{ type: 'CommentReplyEdited', data: { ...place, ...again, reply: 'r', previous: 't2', mentioned: [] } }]);
    given(comment, [posted, replied])
      .when((state) => changeReply(state, other, { reply: 'r', written: again }))
      .thenFails('forbidden');
    given(comment, [posted, replied])
      .when((state) => changeReply(state, other, { reply: 'r', addedReactions: ['🎉'] }))
      .then([{ type: 'CommentReplyReactionAdded', data: { reply: 'r', emoji: '1f389' } }]);
    given(comment, [posted])
      .when((state) => changeReply(state, author, { reply: 'r' }))
      .thenFails('not_found');
  });

  it('is deleted once', () => {
    const gone: CommentEvent = {
      type: 'CommentReplyDeleted',
      data: { ...place, reply: 'r', author: 'actor', text: 't2' },
    };
    given(comment, [posted, replied])
      .when((state) => removeReply(state, { reply: 'r' }))
      .then([gone]);
    given(comment, [posted, replied, gone])
      .when((state) => removeReply(state, { reply: 'r' }))
      .then([]);
  });
});
