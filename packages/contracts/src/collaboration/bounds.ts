const KiB = 1024;

/**
 * Bounds of one request to collaboration, and of what a person is told. They are part of the contract and the same in
 * every installation. A request with more items or longer texts gets 400; one with more bytes gets 413.
 */
export const collaborationBounds = {
  /** Bytes of the body of a comment or reply as markdown. */
  markdownBytes: 64 * KiB,
  /** Bytes of the body of a comment or reply as JSON of a document. */
  documentBytes: 256 * KiB,
  /** People whom one body mentions. */
  mentions: 100,
  /** Emojis that one request adds, and that it removes. */
  reactions: 20,
  /** Links of a change request. */
  links: 10,
  /** Users, and teams, that one request asks for a review. */
  requestedReviewers: 100,
  /** Authors by whom comments are filtered. */
  authors: 100,
  /** Notifications of one person: the newest ones are kept. */
  notifications: 1_000,
  /** Days for which notifications are kept. */
  notificationDays: 90,
} as const;
