/**
 * Why an operation on blobs stopped.
 * - `invalid`: a pool, a hash, a range or an option cannot be what it is; `field` names it.
 * - `too_large`: more bytes came than `most`.
 * - `interrupted`: the bytes ended with an error, or did not end before the deadline; nothing was stored.
 * - `damaged`: what is stored is not what was acknowledged.
 * - `store_failed`: the folder, the database or the object store refused or did not answer.
 */
export type BlobErrorCode = 'invalid' | 'too_large' | 'interrupted' | 'damaged' | 'store_failed';

/** The one error of this package. Recognise it by `code`; `field` names the parameter, `cause` is what was met. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
  readonly field: string | undefined;

  constructor(
    readonly code: BlobErrorCode,
    message: string,
    more: { readonly field?: string; readonly cause?: unknown } = {},
  ) {
    super(message, 'cause' in more ? { cause: more.cause } : {});
    this.field = more.field;
  }
}
