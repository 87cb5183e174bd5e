const MIB = 1024 * 1024;

/** Bytes of one request or reply body. */
export const MAX_BODY_BYTES = 32 * MIB;
/** Bytes of all bodies that travel in parts through one connection at a time, both directions together. */
export const MAX_TRANSFER_BYTES = 128 * MIB;
/** A transfer of which nothing was heard for so long is discarded. */
export const TRANSFER_IDLE_MS = 5000;
/** Bytes a sender may be ahead of its receiver. */
export const TRANSFER_WINDOW_BYTES = MIB;
/** Largest part: small enough not to keep other messages of the connection waiting. */
export const MAX_PART_BYTES = MIB / 4;
/** Requests of one connection that wait for an answer. */
export const MAX_PENDING_REQUESTS = 20_000;
/** Requests of one service that a replica handles at once, and that wait for their turn. */
export const DEFAULT_CONCURRENCY = 256;
export const MAX_WAITING_REQUESTS = 4096;
/** Time for a request that names none, and the longest that is believed. */
export const DEFAULT_DEADLINE_MS = 10_000;
export const MAX_DEADLINE_MS = 300_000;
/** Longest wait for in-flight requests on draining. */
export const DRAIN_TIMEOUT_MS = 30_000;

/**
 * Largest body that goes in one message: what the server's announced `max_payload` leaves beside the headers.
 */
export function wholeBodyBytes(maxPayload: number): number {
  return Math.max(maxPayload - HEADER_ROOM, Math.floor(maxPayload / 2));
}

const HEADER_ROOM = 16 * 1024;
