import type { ServiceAccess } from '@scriptorium/access';
import type { changeRequestComments, Principal, spaceComments } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { CommentPlace } from './comment-place.js';

/** The operations on the comments of one kind of place. */
export type CommentOperations = typeof spaceComments | typeof changeRequestComments;

/** A kind of place with comments. */
export interface CommentingPlace {
  operations: CommentOperations;
  /** The place that the parameters of a path name, for what an access check has found. @throws AppError `not_found` */
  find: (
    scope: Scope,
    access: ServiceAccess,
    principal: Principal,
    params: { spaceId: string; changeRequestId?: string },
  ) => Promise<CommentPlace>;
}
