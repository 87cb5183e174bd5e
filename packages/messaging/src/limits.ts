const MIB = 1024 * 1024;

/** Bytes of a request or reply body. */
export const MAX_BODY_BYTES = 32 * MIB;
/** Bytes of all bodies that one connection transfers in parts at the same time, in both directions together. */
export const MAX_TRANSFER_BYTES = 128 * MIB;
/** A transfer without a message for this time is cancelled. */
export const TRANSFER_IDLE_MS = 5000;
/** Bytes that a sender may send before the receiver grants further credit. */
export const TRANSFER_WINDOW_BYTES = MIB;
/** The largest part. It is small, so that other messages of the connection do not wait long. */
export const MAX_PART_BYTES = MIB / 4;
/** Requests of one connection that wait for an answer at the same time. */
export const MAX_PENDING_REQUESTS = 20_000;
/** Requests of one service that a replica handles at the same time. As many more may wait. */
export const DEFAULT_CONCURRENCY = 256;
export const MAX_WAITING_REQUESTS = 4096;
/** The most requests, or answers, that are sent in one message, and that a receiver accepts in one. */
export const MOST_IN_BATCH = 16;
export const MOST_ENTRIES = 4 * MOST_IN_BATCH;
/** The deadline of a request that names none, and the longest one that is accepted. */
export const DEFAULT_DEADLINE_MS = 10_000;
export const MAX_DEADLINE_MS = 300_000;
/** The longest time that draining waits for requests in progress. */
export const DRAIN_TIMEOUT_MS = 30_000;
