import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { commentsAccess } from './access.js';
import { commentCounts } from './reading/comment-count.projection.js';
import { commenters } from './commenters/commenter.projection.js';
import { commentingChangeRequest } from './places/commenting-change-request.queries.js';
import { commentingSpace } from './places/commenting-space.queries.js';
import { comments as commentDocs } from './reading/comment.projection.js';
import { replies } from './reading/comment-reply.projection.js';
import { commentChangesController, commentReadsController } from './comments.controllers.js';
import { endedTextsReactor } from './comments.reactor.js';
import { replyChangesController, replyReadsController } from './replies.controllers.js';

/** Comments, replies and reactions. */
export const comments = defineDomain({
  name: 'comments',
  controllers: [commentingSpace, commentingChangeRequest].flatMap((place) => [
    commentReadsController(place),
    commentChangesController(place),
    replyReadsController(place),
    replyChangesController(place),
  ]),
  projections: [commentDocs, replies, commentCounts, commenters],
  reactors: () => [endedTextsReactor],
  resolvers: ({ use }) => commentsAccess(use(ServiceAccess)),
});
