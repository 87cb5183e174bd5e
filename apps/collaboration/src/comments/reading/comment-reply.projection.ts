import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { commentEvents } from '../comment.events.js';
import { spacePurge, spaceTransfer } from '../../spaces/index.js';
import { reacted, rewritten, unreacted, type PostedDocument } from './posted-document.js';

export interface ReplyDocument extends PostedDocument {
  comment: string;
  bytes: number;
}

const replyEvents = commentEvents.pick(
  'CommentReplyPosted',
  'CommentReplyEdited',
  'CommentReplyDeleted',
  'CommentReplyReactionAdded',
  'CommentReplyReactionRemoved',
  'CommentDeleted',
);
type Consumed = Recorded<EventOf<typeof replyEvents> | EventOf<typeof spacePurge> | EventOf<typeof spaceTransfer>>;

function writes(event: Consumed): Write<ReplyDocument>[] {
  const { entityId: comment } = event;
  const { time: at, actor, organization } = event.meta;
  switch (event.type) {
    case 'CommentReplyPosted': {
      const { reply, mentions: _, ...data } = event.data;
      const [postedAt, answerBytes] = [at, data.bytes];
      const more = { author: actor.id, postedAt, editedAt: null, reactions: [], answerBytes };
      return [{ put: reply, doc: { organization: organization ?? '', comment, ...data, ...more } }];
    }
    case 'CommentReplyEdited': {
      const { data } = event;
      return [{ change: data.reply, by: (doc) => doc && rewritten(doc, data, at) }];
    }
    case 'CommentReplyReactionAdded': {
      const { reply, emoji } = event.data;
      return [{ change: reply, by: (doc) => doc && reacted(doc, emoji, { user: actor.id, at }) }];
    }
    case 'CommentReplyReactionRemoved': {
      const { reply, emoji } = event.data;
      return [{ change: reply, by: (doc) => doc && unreacted(doc, emoji, actor.id) }];
    }
    case 'CommentReplyDeleted':
      return [{ remove: event.data.reply }];
    case 'CommentDeleted':
      return [{ removeWhere: { comment } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
    case 'SpaceTransferred':
      return [{ setWhere: { space: event.entityId }, fields: event.data }];
  }
}

/** All replies to comments, without their texts. */
export const replies = projection({
  name: 'comment_reply',
  version: 2,
  entities: ['comment', 'content.library', 'content.space'],
  events: [replyEvents, spacePurge, spaceTransfer],
  indexes: [{ key: { comment: 1, postedAt: 1, _id: 1 } }, { key: { space: 1 } }],
  writes,
});
