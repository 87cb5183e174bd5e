/**
 * The log holds bytes that cannot be what was written. Nothing is repaired silently: the message names
 * the file, the offset and the two ways on.
 */
export class StoreDamaged extends Error {
  constructor(
    readonly file: string,
    readonly offset: number,
    what: string,
  ) {
    super(
      `${what} in ${file} at offset ${String(offset)}; ` +
        'restore this folder from a backup, or move it away and rebuild from another copy of the log',
    );
    this.name = 'StoreDamaged';
  }
}
