/** Why an input was refused. */
export type RichTextReason = 'too_large' | 'too_many_nodes' | 'too_deep' | 'too_complex' | 'invalid_document';

/** The only error this package throws on purpose. `reason` is stable; the message is for people. */
export class RichTextError extends Error {
  override readonly name = 'RichTextError';
  constructor(
    readonly reason: RichTextReason,
    message: string,
    /** Where in the document it is wrong, as far as one place is. */
    readonly path: readonly (string | number)[] = [],
  ) {
    super(message);
  }
}
