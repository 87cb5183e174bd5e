const KiB = 1024;

/**
 * Bounds of one request to conversations. They are part of the contract and the same in every installation. A request
 * beyond them gets 400, and one with more bytes 413.
 */
export const conversationBounds = {
  /** Conversations of one call. */
  conversations: 500,
  /** Characters of the caller's id of a conversation. */
  id: 255,
  subject: 512,
  /** Parts of a conversation, at least one. */
  parts: 200,
  /** Characters of one part. */
  partLength: 64 * KiB,
  attributes: 50,
  attributeName: 64,
  attributeValue: 1_024,
  /** Issues that one list may count anew: those of a period, or of a cluster. */
  countedIssues: 100_000,
  /** Characters that labels and summaries of clusters are searched for. */
  search: 100,
  /** Milliseconds by which a conversation may have been created in the future, for clocks that differ. */
  aheadMs: 86_400_000,
} as const;
