import { ServiceAccess } from '@scriptorium/access';
import type { InputOf } from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { ContentPlaces } from '../spaces/index.js';
import { comment } from './writing/comment.js';
import type { CommentingPlace, CommentOperations } from './places/commenting-place.queries.js';
import type { CommentsController } from './comments.controllers.js';
import { getReply, listReplies, requireComment } from './reading/comments.queries.js';
import { removeReply } from './writing/reply.js';
import { showTo } from './showing.queries.js';
import { commandsAt, editReply, postReplyTo } from './writing/write-comment.process.js';

type Input<O extends keyof CommentOperations> = InputOf<CommentOperations[O]>;

/** Reads of the replies to comments in a kind of place. */
export function replyReadsController({ operations, find }: CommentingPlace): CommentsController {
  @Controller()
  class ReplyReadsController {
    constructor(
      private readonly access: ServiceAccess,
      private readonly places: ContentPlaces,
    ) {}

    @Handles(operations.listReplies)
    async list({ params, query }: Input<'listReplies'>, call: Call) {
      return call.cached({ of: [params, query] }, async (scope) => {
        const place = await find(scope, this.access, call.principal, params);
        const filter = { ...query, operation: call.operation, comment: params.commentId };
        return listReplies(scope, showTo(call, this.places, place, query), filter);
      });
    }

    @Handles(operations.getReply)
    async get({ params, query }: Input<'getReply'>, call: Call) {
      const { commentId, commentReplyId } = params;
      return call.cached({ of: [params, query] }, async (scope) => {
        const place = await find(scope, this.access, call.principal, params);
        await requireComment(scope, place, commentId);
        return getReply(scope, showTo(call, this.places, place, query), commentId, commentReplyId);
      });
    }
  }
  return ReplyReadsController;
}

/** Changes of the replies to comments in a kind of place. */
export function replyChangesController({ operations, find }: CommentingPlace): CommentsController {
  @Controller()
  class ReplyChangesController {
    constructor(
      private readonly access: ServiceAccess,
      private readonly places: ContentPlaces,
    ) {}

    @Handles(operations.postReply)
    async post({ params, query: { format }, body }: Input<'postReply'>, call: Call) {
      const { commentId } = params;
      const place = await find(call, this.access, call.principal, params);
      const { id, text } = await postReplyTo(call, place, commentId, body);
      const showing = showTo(call, this.places, place, { format, text });
      return readAfterCreate(call, () => getReply(call, showing, commentId, id));
    }

    @Handles(operations.updateReply)
    async update({ params, query: { format }, body }: Input<'updateReply'>, call: Call) {
      const { commentId, commentReplyId: reply } = params;
      const place = await find(call, this.access, call.principal, params);
      const text = await editReply(call, place, { comment: commentId, reply }, body);
      return getReply(call, showTo(call, this.places, place, { format, text }), commentId, reply);
    }

    @Handles(operations.removeReply)
    async remove({ params }: Input<'removeReply'>, call: Call) {
      const { commentId, commentReplyId: reply } = params;
      const place = await find(call, this.access, call.principal, params);
      const commands = commandsAt(call, place);
      const { events } = await commands.handle(comment, commentId, (state) => removeReply(state, { reply }));
      return events.length > 0;
    }
  }
  return ReplyChangesController;
}
