/** How to go on when bytes of the log are wrong. */
export const LOG_REMEDY = 'restore this folder from a backup, or move it away and rebuild from another copy of the log';

/**
 * The log holds bytes that cannot be what was written. Nothing is repaired silently: the message names
 * the file, the offset and the two ways on.
 */
export class StoreDamaged extends Error {
  constructor(
    readonly file: string,
    readonly offset: number,
    readonly what: string,
  ) {
    super(`${what} in ${file} at offset ${String(offset)}; ${LOG_REMEDY}`);
    this.name = 'StoreDamaged';
  }
}
