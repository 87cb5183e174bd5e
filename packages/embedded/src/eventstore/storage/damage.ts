/** How to go on when bytes of the log are wrong. */
export const LOG_REMEDY = 'restore this folder from a backup, or move it away and rebuild from another copy of the log';

/** How to go on when the index is wrong. */
export const INDEX_REMEDY =
  'the index is derived: remove the file while the server is stopped, the next start makes it again from the log';

/**
 * The log holds bytes that cannot be what was written. Nothing is repaired silently: the message names
 * the file, the offset and the two ways on.
 */
export class StoreDamaged extends Error {
  constructor(
    readonly file: string,
    readonly offset: number,
    readonly what: string,
    remedy = LOG_REMEDY,
  ) {
    super(`${what} in ${file} at offset ${String(offset)}; ${remedy}`);
    this.name = 'StoreDamaged';
  }
}
