import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { commentEvents, type CommentEvent, type CommentTarget } from '../comment.events.js';
import { spacePurge, spaceTransfer } from '../../spaces/index.js';
import { bytesOfPerson, reacted, rewritten, unreacted, type PostedDocument } from './posted-document.js';

export interface CommentDocument
  extends PostedDocument, Pick<CommentTarget, 'review' | 'page' | 'node' | 'tableCell' | 'revision'> {
  /** The change request that it is on, otherwise the space. */
  place: string;
  bytes: number;
  status: 'open' | 'resolved';
  resolvedAt: string | null;
  resolvedBy: string | null;
  replies: number;
  repliers: { user: string; count: number; at: string }[];
}

type Consumed = Recorded<CommentEvent | EventOf<typeof spacePurge> | EventOf<typeof spaceTransfer>>;

function posted({ data, meta }: Recorded<Extract<CommentEvent, { type: 'CommentPosted' }>>): CommentDocument {
  const { mentions: _, ...target } = data;
  return {
    ...target,
    organization: meta.organization ?? '',
    place: data.changeRequest ?? data.space,
    author: meta.actor.id,
    postedAt: meta.time,
    editedAt: null,
    status: 'open',
    resolvedAt: null,
    resolvedBy: null,
    reactions: [],
    replies: 0,
    repliers: [],
    answerBytes: data.bytes,
  };
}

function replied(doc: CommentDocument, user: string, at: string): CommentDocument {
  const others = doc.repliers.filter((replier) => replier.user !== user);
  const count = (doc.repliers.find((replier) => replier.user === user)?.count ?? 0) + 1;
  const answerBytes = doc.answerBytes + (count === 1 ? bytesOfPerson : 0);
  return { ...doc, replies: doc.replies + 1, repliers: [{ user, count, at }, ...others], answerBytes };
}

function unreplied(doc: CommentDocument, user: string): CommentDocument {
  const repliers = doc.repliers
    .map((replier) => (replier.user === user ? { ...replier, count: replier.count - 1 } : replier))
    .filter(({ count }) => count > 0);
  const fewer = doc.repliers.length - repliers.length;
  return { ...doc, replies: doc.replies - 1, repliers, answerBytes: doc.answerBytes - fewer * bytesOfPerson };
}

/** What an event makes of a comment that is there; `null` removes it. */
function changed(doc: CommentDocument, event: Recorded<CommentEvent>): CommentDocument | null {
  const { time, actor } = event.meta;
  switch (event.type) {
    case 'CommentEdited':
      return rewritten(doc, event.data, time);
    case 'CommentResolved':
      return { ...doc, status: 'resolved', resolvedAt: time, resolvedBy: actor.id };
    case 'CommentReopened':
      return { ...doc, status: 'open', resolvedAt: null, resolvedBy: null };
    case 'CommentDeleted':
      return null;
    case 'CommentReactionAdded':
      return reacted(doc, event.data.emoji, { user: actor.id, at: time });
    case 'CommentReactionRemoved':
      return unreacted(doc, event.data.emoji, actor.id);
    case 'CommentReplyPosted':
      return replied(doc, actor.id, time);
    case 'CommentReplyDeleted':
      return unreplied(doc, event.data.author);
    default:
      return doc;
  }
}

function writes(event: Consumed): Write<CommentDocument>[] {
  switch (event.type) {
    case 'CommentPosted':
      return [{ put: event.entityId, doc: posted(event) }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
    case 'SpaceTransferred':
      return [{ setWhere: { space: event.entityId }, fields: event.data }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && changed(doc, event) }];
  }
}

/** All comments, without their texts. */
export const comments = projection({
  name: 'comment',
  version: 2,
  entities: ['comment', 'content.library', 'content.space'],
  events: [commentEvents, spacePurge, spaceTransfer],
  indexes: [
    { key: { place: 1, postedAt: 1, _id: 1 } },
    { key: { place: 1, status: 1, postedAt: 1, _id: 1 } },
    { key: { place: 1, page: 1, postedAt: 1, _id: 1 } },
    { key: { space: 1 } },
  ],
  writes,
});
