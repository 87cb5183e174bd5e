/**
 * Bytes of a blob that `write` gives back. The dimensions of a photograph stand behind its metadata, which one segment
 * of a JPEG file limits to 64 KiB.
 */
export const HEAD_BYTES = 65_536;

/** Entries of one page of a list. */
export const LIST_LIMIT = 1_000;

/** How long the store may take for one operation, ms. */
export const STORE_TIMEOUT_MS = 30_000;

/** The same for giving a blob its name: some stores copy all of its bytes for that. */
export const PUBLISH_TIMEOUT_MS = 120_000;

/** The same for what removes any number of blobs by many requests. */
export const REMOVE_TIMEOUT_MS = 600_000;
