import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { commentEvents } from './comment.events.js';
import { scheduleDrop } from '../texts/index.js';

const ended = commentEvents.pick('CommentEdited', 'CommentDeleted', 'CommentReplyEdited', 'CommentReplyDeleted');

/** Texts that nothing shows any more are deleted: those before an edit, and those of what was deleted. */
export const endedTextsReactor: Reactor = reactor({
  name: 'texts_of_changed_comments',
  entities: ['comment'],
  events: [ended],
  react: async ({ type, data, entityId: owner, meta }, store) => {
    const { space } = data;
    switch (type) {
      case 'CommentDeleted':
        return scheduleDrop(store, { space, owner }, meta.time);
      case 'CommentReplyDeleted':
        return scheduleDrop(store, { space, owner, text: data.text }, meta.time);
      default:
        return scheduleDrop(store, { space, owner, text: data.previous }, meta.time);
    }
  },
});
