/** An event that changes how many comments there are. */
export type CountedComment =
  | { type: 'CommentPosted' | 'CommentResolved' | 'CommentReopened' }
  | { type: 'CommentDeleted'; data: { status: 'open' | 'resolved' } };

/** By how much an event changes the number of comments, and of those that are not resolved. Pure. */
export function commentsChanged(event: CountedComment): { total: number; open: number } {
  switch (event.type) {
    case 'CommentPosted':
      return { total: 1, open: 1 };
    case 'CommentResolved':
      return { total: 0, open: -1 };
    case 'CommentReopened':
      return { total: 0, open: 1 };
    case 'CommentDeleted':
      return { total: -1, open: event.data.status === 'open' ? -1 : 0 };
  }
}
