import { ServiceAccess } from '@scriptorium/access';
import type { InputOf } from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { ContentPlaces } from '../spaces/index.js';
import { comment, remove } from './writing/comment.js';
import { listCommenters } from './commenters/commenters.queries.js';
import { getComment, listComments } from './reading/comments.queries.js';
import type { CommentingPlace, CommentOperations } from './places/commenting-place.queries.js';
import { showTo } from './showing.queries.js';
import { commandsAt, editComment, postComment } from './writing/write-comment.process.js';

type Input<O extends keyof CommentOperations> = InputOf<CommentOperations[O]>;
export type CommentsController = new (access: ServiceAccess, places: ContentPlaces) => object;

/** Reads of the comments of a kind of place. */
export function commentReadsController({ operations, find }: CommentingPlace): CommentsController {
  @Controller()
  class CommentReadsController {
    constructor(
      private readonly access: ServiceAccess,
      private readonly places: ContentPlaces,
    ) {}

    @Handles(operations.list)
    async list({ params, query }: Input<'list'>, call: Call) {
      return call.cached({ of: [params, query] }, async (scope) => {
        const place = await find(scope, this.access, call.principal, params);
        return listComments(scope, showTo(call, this.places, place, query), { ...query, operation: call.operation });
      });
    }

    @Handles(operations.get)
    async get({ params, query }: Input<'get'>, call: Call) {
      return call.cached({ of: [params, query] }, async (scope) => {
        const place = await find(scope, this.access, call.principal, params);
        return getComment(scope, showTo(call, this.places, place, query), params.commentId);
      });
    }

    @Handles(operations.listCommenters)
    async listCommenters({ params, query }: Input<'listCommenters'>, call: Call) {
      return call.cached({ of: [params, query] }, async (scope) => {
        const place = await find(scope, this.access, call.principal, params);
        return listCommenters(scope, call.principal, place, { ...query, operation: call.operation });
      });
    }
  }
  return CommentReadsController;
}

/** Changes of the comments of a kind of place. */
export function commentChangesController({ operations, find }: CommentingPlace): CommentsController {
  @Controller()
  class CommentChangesController {
    constructor(
      private readonly access: ServiceAccess,
      private readonly places: ContentPlaces,
    ) {}

    @Handles(operations.post)
    async post({ params, query: { format }, body }: Input<'post'>, call: Call) {
      const place = await find(call, this.access, call.principal, params);
      const { id, text } = await postComment(call, this.places, place, body);
      return readAfterCreate(call, () => getComment(call, showTo(call, this.places, place, { format, text }), id));
    }

    @Handles(operations.update)
    async update({ params, query: { format }, body }: Input<'update'>, call: Call) {
      const place = await find(call, this.access, call.principal, params);
      const text = await editComment(call, place, params.commentId, body);
      return getComment(call, showTo(call, this.places, place, { format, text }), params.commentId);
    }

    @Handles(operations.remove)
    async remove({ params }: Input<'remove'>, call: Call) {
      const place = await find(call, this.access, call.principal, params);
      const { events } = await commandsAt(call, place).handle(comment, params.commentId, remove);
      return events.length > 0;
    }
  }
  return CommentChangesController;
}
