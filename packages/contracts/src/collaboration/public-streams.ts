import { publicStream } from '../kernel/public-streams.js';
import { getChangeRequestById } from './change-requests.js';
import { changeRequestEventSchemas, changeRequestNumberEventSchemas, commentEventSchemas } from './events.js';
import { getCommentInSpace } from './space-comments.js';

/** Streams of collaboration whose events audit and change feed tell. */
export const collaborationStreams = [
  publicStream({
    service: 'collaboration',
    entity: 'comment',
    schemas: commentEventSchemas,
    // Whoever may see a comment sees its reactions there.
    untold: [
      'CommentReactionAdded',
      'CommentReactionRemoved',
      'CommentReplyReactionAdded',
      'CommentReplyReactionRemoved',
    ],
    target: { object: 'comment' },
    within: { spaceId: 'space' },
    shownBy: getCommentInSpace,
  }),
  publicStream({
    service: 'collaboration',
    entity: 'request',
    schemas: changeRequestEventSchemas,
    // How a merge or a reopening ends is told; what was abandoned nobody has seen.
    untold: ['ChangeRequestMergeBegan', 'ChangeRequestReopeningBegan', 'ChangeRequestAbandoned'],
    target: { object: 'change-request' },
    within: { spaceId: 'space' },
    shownBy: getChangeRequestById,
  }),
  publicStream({
    service: 'collaboration',
    entity: 'numbers',
    schemas: changeRequestNumberEventSchemas,
    // `ChangeRequestCreated` tells it.
    untold: ['ChangeRequestNumbered'],
    target: { object: 'change-request', idIn: 'changeRequest' },
    within: { spaceId: 'space' },
    shownBy: getChangeRequestById,
  }),
];
